import { clampRgb, converter, formatHex, modeLrgb, modeOklab, modeOklch, modeRgb, type Oklch, useMode, wcagContrast } from 'culori/fn';

/**
 * Derives the four brand colours from a partner's one colour. Text keeps a contrast of 4.5:1 and fills 3:1 in both themes for any
 * colour: the lightness is changed in steps until the measured contrast is reached. Browser-safe.
 */
export type Brand = { text: string; fill: string; on: string; wash: string; textMoved: boolean };

type Colour = { l: number; c: number; h: number };

// Registers only the colour spaces needed, so that a bundler drops the others.
useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
useMode(modeOklch);
const toOklch = converter('oklch');

const GROUNDS = {
  light: { surface: { l: 0.998, c: 0.001, h: 205 }, canvas: { l: 0.98, c: 0.0022, h: 215 }, ink: { l: 0.235, c: 0.014, h: 230 } },
  dark: { surface: { l: 0.216, c: 0.009, h: 228 }, canvas: { l: 0.186, c: 0.008, h: 228 }, ink: { l: 0.18, c: 0.01, h: 225 } },
} as const;
/** The colour of an agency, and of its chatbots, that chose none. */
export const DEFAULT_COLOUR = '#37505c';
const CHROMA_MAX = 0.16;

/** Derives the portal's colours from `#rrggbb`. Each is a CSS colour with a value for both themes. */
export function deriveBrand(hex: string): Brand {
  const given = parseHex(hex);
  const base = { ...given, c: Math.min(given.c, CHROMA_MAX) };
  const light = forTheme(base, 'light');
  const dark = forTheme(base, 'dark');
  const both = (key: 'text' | 'fill' | 'on' | 'wash'): string => `light-dark(${css(light[key])}, ${css(dark[key])})`;
  return { text: both('text'), fill: both('fill'), on: both('on'), wash: both('wash'), textMoved: Math.abs(light.text.l - given.l) > 0.12 };
}

/** The colours of a mail as sRGB hex, the only notation that mail programs support: text on white, a button, and its label. */
export type MailBrand = { text: string; fill: string; on: string };

/** Derives the colours of a mail, with the contrasts of the light theme. Without a valid colour it uses a blue grey. */
export function deriveMailBrand(hex: string | null): MailBrand {
  const given = parseHex(hex !== null && /^#[0-9a-f]{6}$/i.test(hex) ? hex : DEFAULT_COLOUR);
  const { text, fill, on } = forTheme({ ...given, c: Math.min(given.c, CHROMA_MAX) }, 'light');
  return { text: formatHex(oklch(text)), fill: formatHex(oklch(fill)), on: formatHex(oklch(on)) };
}

function forTheme(base: Colour, theme: 'light' | 'dark'): { text: Colour; fill: Colour; on: Colour; wash: Colour } {
  const isLight = theme === 'light';
  const { surface, canvas, ink } = GROUNDS[theme];
  const wash: Colour = isLight ? { l: 0.957, c: Math.min(base.c, 0.02), h: base.h } : { l: 0.262, c: Math.min(base.c, 0.035), h: base.h };
  const step = isLight ? -0.01 : 0.01;
  const textStart: Colour = isLight
    ? { ...base, l: Math.min(base.l, 0.56) }
    : { ...base, l: Math.max(base.l, 0.74), c: Math.min(base.c, 0.11) };
  const text = stepUntil(textStart, step, (colour) => [surface, canvas, wash].every((ground) => contrast(colour, ground) >= 4.5));
  const fillStart: Colour = isLight ? base : { ...base, l: Math.max(base.l, 0.5) };
  const fill = stepUntil(fillStart, step, (colour) => [surface, canvas].every((ground) => contrast(colour, ground) >= 3));
  const white: Colour = { l: 1, c: 0, h: 0 };
  if (contrast(white, fill) >= 4.5) return { text, fill, on: white, wash };
  if (contrast(ink, fill) >= 4.5) return { text, fill, on: ink, wash };
  return { text, fill: stepUntil(fill, -0.01, (colour) => contrast(white, colour) >= 4.5), on: white, wash };
}

function stepUntil(start: Colour, step: number, isReadable: (colour: Colour) => boolean): Colour {
  let colour = start;
  while (!isReadable(colour) && (step < 0 ? colour.l > 0 : colour.l < 1)) colour = { ...colour, l: colour.l + step };
  return colour;
}

/** Returns the WCAG contrast of two colours, 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  return wcagContrast(clampRgb(oklch(a)), clampRgb(oklch(b)));
}

function parseHex(hex: string): Colour {
  const { l, c, h } = toOklch(hex) ?? { l: 0, c: 0, h: 0 };
  return { l, c, h: h ?? 0 };
}

function oklch(colour: Colour): Oklch {
  return { mode: 'oklch', ...colour };
}

function css({ l, c, h }: Colour): string {
  return `oklch(${l.toFixed(3)} ${c.toFixed(3)} ${h.toFixed(1)})`;
}
