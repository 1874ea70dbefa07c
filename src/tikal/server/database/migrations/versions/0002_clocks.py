"""Clocks, passwords, bids up to a limit, webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Applies the migration."""
    op.add_column("people", sa.Column("login", sa.String(80)))
    op.add_column("people", sa.Column("password", sa.String(200)))
    op.create_index("people_by_login", "people", ["login"], unique=True)
    op.add_column("tables", sa.Column("clock", sa.JSON))
    op.add_column("tables", sa.Column("banks", sa.JSON))
    op.add_column("tables", sa.Column("deadline", sa.BigInteger))
    op.add_column("tables", sa.Column("lent", sa.Integer))
    op.create_index("tables_by_deadline", "tables", ["deadline"])
    op.add_column("seats", sa.Column("up_to", sa.Integer))
    beats = op.create_table(
        "beats",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(beats, [{"id": 1, "at": 0}])
    op.create_table(
        "webhooks",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Reverts the migration."""
    op.drop_table("webhooks")
    op.drop_table("beats")
    op.drop_column("seats", "up_to")
    op.drop_index("tables_by_deadline", "tables")
    for name in ("lent", "deadline", "banks", "clock"):
        op.drop_column("tables", name)
    op.drop_index("people_by_login", "people")
    for name in ("password", "login"):
        op.drop_column("people", name)
