"""Players that left a seat during the game, the seat of each chat line, and sessions that expire."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Applies the migration."""
    with op.batch_alter_table("seats") as batch:
        batch.add_column(sa.Column("left_by", sa.String(32), sa.ForeignKey("people.id", name="seats_left_by_fkey")))
    op.add_column("chat", sa.Column("seat", sa.Integer))
    until = (time.time_ns() // 1_000_000) + 400 * 86_400_000
    op.execute(f"UPDATE tokens SET expires = {until} WHERE kind = 'session' AND expires IS NULL")


def downgrade() -> None:
    """Reverts the migration."""
    op.drop_column("chat", "seat")
    with op.batch_alter_table("seats") as batch:
        batch.drop_column("left_by")
