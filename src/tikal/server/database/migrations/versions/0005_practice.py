"""Practice tables: the exact chance that they are played with."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Applies the migration."""
    op.add_column("tables", sa.Column("practice", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Reverts the migration."""
    op.drop_column("tables", "practice")
