"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Applies the migration."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Reverts the migration."""
    ${downgrades if downgrades else "pass"}
