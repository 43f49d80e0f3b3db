import { type Brand, deriveBrand } from '@partner-portal/core/tenancy/brand.ts';

/** Applies the agency's colour, with the contrasts that both themes need. */
export function applyBrand(hex: string): Brand {
  const brand = deriveBrand(hex);
  const { style } = document.documentElement;
  style.setProperty('--color-brand', brand.text);
  style.setProperty('--color-brand-fill', brand.fill);
  style.setProperty('--color-on-brand', brand.on);
  style.setProperty('--color-brand-wash', brand.wash);
  return brand;
}
