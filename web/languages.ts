/**
 * Lists what is left to translate: `node languages.ts` (`make languages`). Missing and wrong texts, missing pages of the
 * rules, words that the glossary lacks, and what is outdated: the English reads differently now than when the text was
 * last translated. `node languages.ts LANGUAGE` (`make languages STILL_RIGHT=LANGUAGE`) notes that somebody has read the
 * outdated texts of a language, and that they are still right.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { catalogue, languages, problems, REFERENCE } from './catalogues.ts';
import { rulesFaults, RULES_FILES } from './rules-pages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A text that is outdated: what it is, and the mark of the English as it is now. */
interface Old {
  what: string;
  mark: string;
}

interface Change {
  commit: string;
  time: number;
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** When each key of an area was last changed: a key is a line of its file. */
function changes(path: string): Record<string, Change> {
  const found: Record<string, Change> = {};
  let now: Change = { commit: '', time: 0 };
  for (const line of git('blame', '--line-porcelain', '--', path).split('\n')) {
    const commit = /^([0-9a-f]{40}) /.exec(line);
    const time = /^author-time (\d+)/.exec(line);
    const key = /^\t\s*"([^"]+)":/.exec(line);
    if (commit) now = { commit: commit[1]!, time: 0 };
    if (time) now.time = Number(time[1]);
    if (key) found[key[1]!] = now;
  }
  return found;
}

const isOlder = (translated: Change | undefined, english: Change | undefined): boolean =>
  !!translated && !!english && translated.commit !== english.commit && translated.time < english.time;

const mark = (english: string): string => createHash('sha256').update(english).digest('hex').slice(0, 12);

const before = new Map<string, string>();

/** A file as a commit had it; nothing if it had none. */
function then(commit: string, path: string): string {
  const name = `${commit}:${path}`;
  if (!before.has(name)) {
    try {
      before.set(name, git('show', name));
    } catch {
      before.set(name, '');
    }
  }
  return before.get(name)!;
}

/** The texts whose English reads differently now than when they were translated. */
function outdatedTexts(language: string): Old[] {
  return Object.entries(catalogue(REFERENCE)).flatMap(([area, texts]) => {
    const [english, own] = [REFERENCE, language].map((code) => `web/src/messages/${code}/${area}.json`) as [string, string];
    if (!existsSync(`${ROOT}${own}`)) return [];
    const [now, translated] = [changes(english), changes(own)];
    const reworded = (key: string): boolean => {
      const was = then(translated[key]!.commit, english);
      return !was || (JSON.parse(was) as Record<string, string>)[key] !== texts[key];
    };
    const old = Object.keys(texts).filter((key) => isOlder(translated[key], now[key]) && reworded(key));
    return old.map((key) => ({ what: `${area}.${key}`, mark: mark(texts[key]!) }));
  });
}

/** The pages of the rules whose English is newer than they are. */
function outdatedPages(language: string): Old[] {
  const last = (path: string): Change => {
    const [commit = '', time = '0'] = git('log', '-1', '--format=%H %at', '--', path).trim().split(' ');
    return { commit, time: Number(time) };
  };
  const pages = RULES_FILES.filter((file) => existsSync(`${ROOT}docs/rules/${language}/${file}`));
  const old = pages.filter((file) => isOlder(last(`docs/rules/${language}/${file}`), last(`docs/rules/${file}`)));
  return old.map((file) => ({ what: `docs/rules/${language}/${file}`, mark: mark(readFileSync(`${ROOT}docs/rules/${file}`, 'utf8')) }));
}

/** Everything that is outdated according to git; nothing without a history, as in an archive. */
function outdated(language: string): Old[] {
  try {
    return [...outdatedTexts(language), ...outdatedPages(language)];
  } catch {
    return [];
  }
}

/** Where it is noted that texts are still right, though their English was reworded: a line `WHAT MARK` for each. */
const notes = (language: string): string => `${ROOT}web/src/messages/${language}/still-right.txt`;

function noted(language: string): Set<string> {
  return new Set(existsSync(notes(language)) ? readFileSync(notes(language), 'utf8').split('\n') : []);
}

const line = ({ what, mark }: Old): string => `${what} ${mark}`;

/** The words that the glossary has in English only. */
function wordless(language: string): string[] {
  const entries = parse(readFileSync(`${ROOT}src/tikal/words/glossary.toml`, 'utf8')) as Record<string, Record<string, unknown>>;
  const lacking = Object.keys(entries).filter((key) => !(language in entries[key]!));
  return lacking.length ? [`${language}: the glossary lacks ${lacking.length} of ${Object.keys(entries).length} words, which are said in English`] : [];
}

const others = languages().filter((language) => language !== REFERENCE);
const [read] = process.argv.slice(2).filter(Boolean);
if (read) writeFileSync(notes(read), `${outdated(read).map(line).join('\n')}\n`);
const folders = readdirSync(`${ROOT}docs/rules`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const strange = folders.filter(({ name }) => !others.includes(name)).map(({ name }) => `docs/rules/${name}: web/src/messages has no such language`);
const wrong = [...problems(), ...strange, ...others.flatMap(rulesFaults), ...others.flatMap(wordless)];
const old = others.flatMap((language) => {
  const right = noted(language);
  return outdated(language).filter((text) => !right.has(line(text))).map(({ what }) => `${language}: ${what} is older than the English`);
});
for (const told of [...wrong, ...old]) process.stdout.write(`${told}\n`);
process.stdout.write(`${languages().join(', ')}: ${wrong.length} missing or wrong, ${old.length} perhaps outdated\n`);
process.exitCode = wrong.length ? 1 : 0;
