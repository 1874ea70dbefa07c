"""How long a turn may take at a table without a clock before somebody counts as absent."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Applies the migration."""
    op.add_column("tables", sa.Column("patience_h", sa.Integer, nullable=False, server_default="24"))


def downgrade() -> None:
    """Reverts the migration."""
    op.drop_column("tables", "patience_h")
