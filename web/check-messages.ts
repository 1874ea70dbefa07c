/**
 * Checks the catalogues of texts and writes the types of their keys: `node check-messages.ts`.
 * Exits with 1, and a line for each problem, if any language is incomplete or wrong.
 */
import { writeFileSync } from 'node:fs';
import { catalogue, keyTypes, languages, problems, REFERENCE, SOURCE } from './catalogues.ts';

writeFileSync(`${SOURCE}/lib/keys.d.ts`, keyTypes(catalogue(REFERENCE)));
const found = problems();
for (const problem of found) process.stderr.write(`${problem}\n`);
if (!found.length) process.stdout.write(`messages: ${languages().join(', ')} are complete\n`);
process.exitCode = found.length ? 1 : 0;
