import { deriveBrand } from '@partner-portal/core/tenancy/brand.ts';
import { type CSSProperties, useEffect } from 'react';

/** Returns the four CSS variables of an agency's colour; none without a colour. */
export function brandTokens(hex: string | null): CSSProperties {
  if (!hex) return {};
  const { text, fill, on, wash } = deriveBrand(hex);
  return { '--color-brand': text, '--color-brand-fill': fill, '--color-on-brand': on, '--color-brand-wash': wash } as CSSProperties; // custom properties are not in its type
}

/** Applies the agency's colour and the client theme to the whole page, menus included; does nothing without an agency. */
export function useAgencyBrand(agency: { brandColor: string | null } | undefined): void {
  const isClient = agency !== undefined;
  const hex = agency?.brandColor ?? null;
  useEffect(() => {
    if (!isClient) return;
    const { style, dataset } = document.body;
    dataset['interface'] = 'client';
    const tokens = Object.entries(brandTokens(hex));
    for (const [token, value] of tokens) style.setProperty(token, String(value));
    return () => {
      delete dataset['interface'];
      for (const [token] of tokens) style.removeProperty(token);
    };
  }, [isClient, hex]);
}
