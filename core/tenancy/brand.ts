/**
 * The agency's one colour as the four brand tokens (design, section 8). Text keeps 4.5:1 and fills 3:1 in both themes,
 * whatever colour was given: lightness is stepped until the measured contrast is there.
 */
export type Brand = { text: string; fill: string; on: string; wash: string; textMoved: boolean };

type Oklch = { l: number; c: number; h: number };
type Rgb = [number, number, number];

const GROUNDS = {
  light: { surface: { l: 0.998, c: 0.001, h: 205 }, canvas: { l: 0.98, c: 0.0022, h: 215 }, ink: { l: 0.235, c: 0.014, h: 230 } },
  dark: { surface: { l: 0.216, c: 0.009, h: 228 }, canvas: { l: 0.186, c: 0.008, h: 228 }, ink: { l: 0.18, c: 0.01, h: 225 } },
} as const;

/** `hex` is `#rrggbb`. The answers are CSS colours holding both themes. */
export function deriveBrand(hex: string): Brand {
  const given = toOklch(hexToRgb(hex));
  const base = { ...given, c: Math.min(given.c, 0.16) };
  const light = forTheme(base, 'light');
  const dark = forTheme(base, 'dark');
  const both = (key: 'text' | 'fill' | 'on' | 'wash'): string => `light-dark(${css(light[key])}, ${css(dark[key])})`;
  return { text: both('text'), fill: both('fill'), on: both('on'), wash: both('wash'), textMoved: Math.abs(light.text.l - given.l) > 0.12 };
}

/** What a mail needs of the colour: words on white, a button and the words on it, as sRGB hex, since mail programs know no other. */
export type MailBrand = { text: string; fill: string; on: string };

/** The light theme's colours for a white ground, with the same contrasts. Null: a quiet blue grey of our own. */
export function deriveMailBrand(hex: string | null): MailBrand {
  const given = toOklch(hexToRgb(hex !== null && /^#[0-9a-f]{6}$/i.test(hex) ? hex : '#37505c'));
  const { text, fill, on } = forTheme({ ...given, c: Math.min(given.c, 0.16) }, 'light');
  return { text: toHex(text), fill: toHex(fill), on: toHex(on) };
}

function toHex(colour: Oklch): string {
  const channel = (linear: number): string => {
    const v = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(v * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${toLinear(colour).map(channel).join('')}`;
}

function forTheme(base: Oklch, theme: 'light' | 'dark'): { text: Oklch; fill: Oklch; on: Oklch; wash: Oklch } {
  const isLight = theme === 'light';
  const { surface, canvas, ink } = GROUNDS[theme];
  const wash: Oklch = isLight ? { l: 0.957, c: Math.min(base.c, 0.02), h: base.h } : { l: 0.262, c: Math.min(base.c, 0.035), h: base.h };
  const step = isLight ? -0.01 : 0.01;
  const textStart: Oklch = isLight
    ? { ...base, l: Math.min(base.l, 0.56) }
    : { ...base, l: Math.max(base.l, 0.74), c: Math.min(base.c, 0.11) };
  const text = stepUntil(textStart, step, (colour) => [surface, canvas, wash].every((ground) => contrast(colour, ground) >= 4.5));
  const fillStart: Oklch = isLight ? base : { ...base, l: Math.max(base.l, 0.5) };
  const fill = stepUntil(fillStart, step, (colour) => [surface, canvas].every((ground) => contrast(colour, ground) >= 3));
  const white: Oklch = { l: 1, c: 0, h: 0 };
  if (contrast(white, fill) >= 4.5) return { text, fill, on: white, wash };
  if (contrast(ink, fill) >= 4.5) return { text, fill, on: ink, wash };
  return { text, fill: stepUntil(fill, -0.01, (colour) => contrast(white, colour) >= 4.5), on: white, wash };
}

function stepUntil(start: Oklch, step: number, isGood: (colour: Oklch) => boolean): Oklch {
  let colour = start;
  while (!isGood(colour) && colour.l > 0 && colour.l < 1) colour = { ...colour, l: colour.l + step };
  return colour;
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]; // two in, two out
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Oklch): number {
  const [r, g, b] = toLinear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function css({ l, c, h }: Oklch): string {
  return `oklch(${l.toFixed(3)} ${c.toFixed(3)} ${h.toFixed(1)})`;
}

function hexToRgb(hex: string): Rgb {
  const at = (from: number): number => parseInt(hex.slice(from, from + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

/** sRGB to OKLCH, by the published matrices of the Oklab colour space. */
function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as Rgb; // map keeps the length
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  };
}

function toLinear({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const ll = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const mm = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const ss = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (v: number): number => Math.min(1, Math.max(0, v));
  return [
    clamp(4.0767416621 * ll - 3.3077115913 * mm + 0.2309699292 * ss),
    clamp(-1.2684380046 * ll + 2.6097574011 * mm - 0.3413193965 * ss),
    clamp(-0.0041960863 * ll - 0.7034186147 * mm + 1.707614701 * ss),
  ];
}
