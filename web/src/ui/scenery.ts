/** Outlines of the hero picture, computed rather than drawn point by point. */

/** The edge of a wood, from left to right above `y`: round crowns of varying width and height, closed below. */
export function treeline(width: number, y: number, crown: number, rough: number, phase: number, bottom: number): string {
  let path = `M-20 ${bottom}V${y}`;
  for (let x = -20, i = 0; x < width + 20; i++) {
    const wave = Math.sin(i * 12.9898 + phase * 78.233) * 43758.5453;
    const chance = wave - Math.floor(wave);
    const across = crown * (0.6 + 0.8 * chance);
    const height = y - rough * Math.sin(i * 0.9 + phase) - crown * 0.35 * chance;
    x += across;
    path += `A${(across * 0.55).toFixed(1)} ${(across * 0.5).toFixed(1)} 0 0 1 ${x.toFixed(1)} ${height.toFixed(1)}`;
  }
  return `${path}V${bottom}Z`;
}

export interface Tier {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The tiers of a steep pyramid, the lowest first; each is `shrink` of the one below. */
export function tiers(middle: number, ground: number, count: number, width: number, height: number, shrink: number): Tier[] {
  const found: Tier[] = [];
  let [half, bottom, tall] = [width / 2, ground, height];
  for (let tier = 0; tier < count; tier++) {
    found.push({ left: middle - half, right: middle + half, top: bottom - tall, bottom });
    bottom -= tall;
    half *= shrink;
    tall *= 0.97;
  }
  return found;
}

/** A face of a tier: its walls lean inwards. */
export function face(tier: Tier, from: number, to: number): string {
  const lean = (tier.bottom - tier.top) * 0.22;
  const wide = tier.right - tier.left;
  const low = (part: number) => tier.left + wide * part;
  const high = (part: number) => tier.left + lean + (wide - 2 * lean) * part;
  return `M${low(from)} ${tier.bottom}L${high(from)} ${tier.top}H${high(to)}L${low(to)} ${tier.bottom}Z`;
}

/** A frond of a palm from (x, y): leaflets on both sides of a bent rib. */
export function frond(x: number, y: number, length: number, angle: number, bend: number): string {
  const parts: string[] = [];
  for (let i = 1; i <= 14; i++) {
    const way = i / 14;
    const turn = angle + bend * way * way;
    const [px, py] = [x + Math.cos(turn) * length * way, y + Math.sin(turn) * length * way];
    const leaf = length * 0.34 * Math.sin(Math.PI * Math.min(1, way * 0.95 + 0.05)) + 4;
    for (const side of [-1, 1]) {
      const spread = turn + side * 0.85;
      const [ex, ey] = [px + Math.cos(spread) * leaf, py + Math.sin(spread) * leaf];
      const [qx, qy] = [px + Math.cos(turn) * leaf * 0.6, py + Math.sin(turn) * leaf * 0.6];
      parts.push(`M${px.toFixed(1)} ${py.toFixed(1)}Q${qx.toFixed(1)} ${qy.toFixed(1)} ${ex.toFixed(1)} ${ey.toFixed(1)}Q${((px + ex) / 2).toFixed(1)} ${((py + ey) / 2).toFixed(1)} ${px.toFixed(1)} ${py.toFixed(1)}Z`);
    }
  }
  return parts.join('');
}
