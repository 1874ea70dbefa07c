"""How Alembic reaches the database: by the connection that `tikal.server.database.migrate` hands over."""

from alembic import context

from tikal.server.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
