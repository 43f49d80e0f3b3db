/**
 * Segments of a text message: 160 characters of the GSM 7-bit alphabet or 70 UTF-16 units of any other text in one, 153 and 67 in each of several, since
 * parts of a split text lose space to their numbering. Characters of the extension table take two places, and neither they nor surrogate pairs are
 * split (3GPP TS 23.038). The provider sandbox, which imports nothing of ours, counts in the same way (sandbox/segments.ts).
 */

const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const GSM_EXTENDED = new Set('\f^{}\\[~]|€');

/** Returns how many segments a text takes; at least one. */
export function countSegments(body: string): number {
  const signs = Array.from(body);
  const isGsm = signs.every((sign) => GSM_BASIC.has(sign) || GSM_EXTENDED.has(sign));
  const sizes = signs.map((sign) => (isGsm ? (GSM_EXTENDED.has(sign) ? 2 : 1) : sign.length));
  const [one, each] = isGsm ? [160, 153] : [70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= one) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}
