"""The language of a person."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Applies the migration."""
    op.add_column("people", sa.Column("language", sa.String(8)))


def downgrade() -> None:
    """Reverts the migration."""
    op.drop_column("people", "language")
