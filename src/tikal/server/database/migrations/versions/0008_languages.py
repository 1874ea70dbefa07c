"""The language of a person."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """What changes."""
    op.add_column("people", sa.Column("language", sa.String(8)))


def downgrade() -> None:
    """And back."""
    op.drop_column("people", "language")
