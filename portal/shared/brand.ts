import { deriveBrand } from '@partner-portal/core/tenancy/brand.ts';
import { type CSSProperties, useEffect } from 'react';

/** The four tokens of an agency's colour, for the element they hold for; nothing without a colour (design, section 8). */
export function brandTokens(hex: string | null): CSSProperties {
  if (!hex) return {};
  const { text, fill, on, wash } = deriveBrand(hex);
  return { '--color-brand': text, '--color-brand-fill': fill, '--color-on-brand': on, '--color-brand-wash': wash } as CSSProperties; // custom properties are not in its type
}

/** Puts the agency's colour into its four tokens, and the whole page (menus included) into the client face; nothing without an agency. */
export function useAgencyBrand(agency: { brandColor: string | null } | undefined): void {
  const isClient = agency !== undefined;
  const hex = agency?.brandColor ?? null;
  useEffect(() => {
    if (!isClient) return;
    const { style, dataset } = document.body;
    dataset['face'] = 'client';
    const tokens = Object.entries(brandTokens(hex));
    for (const [token, value] of tokens) style.setProperty(token, String(value));
    return () => {
      delete dataset['face'];
      for (const [token] of tokens) style.removeProperty(token);
    };
  }, [isClient, hex]);
}
