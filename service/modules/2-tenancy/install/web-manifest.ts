import { createHash } from 'node:crypto';
import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import { type IconName, installToken } from '@partner-portal/core/tenancy/install.ts';
import type { BrandRow } from './store.ts';

/** Ground of the portal in the dark theme, which the browser's frame takes. */
const DARK_SURFACE = '#15191b';

/** Names these pixels: another name, colour or logo has another one, so an icon may be kept for ever. */
export function brandVersion({ name, brandColor, logoMediaId }: BrandRow): string {
  return createHash('sha256')
    .update(JSON.stringify([name, brandColor, logoMediaId]))
    .digest('base64url')
    .slice(0, 16);
}

export function iconPath(secret: string, brand: BrandRow, icon: IconName): string {
  return `/brand-icons/${installToken(secret, brand.id)}/${icon}?v=${brandVersion(brand)}`;
}

export function manifestPath(secret: string, partnerId: string): string {
  return `/manifest.webmanifest?agency=${installToken(secret, partnerId)}`;
}

/** The manifest of an agency's client portal. */
export function webManifestOf(secret: string, brand: BrandRow) {
  const icon = (name: IconName, sizes: string, purpose: 'any' | 'maskable') => ({
    src: iconPath(secret, brand, name),
    sizes,
    type: 'image/png' as const,
    purpose,
  });
  return {
    id: '/client',
    name: brand.name,
    short_name: brand.name,
    start_url: '/client?source=installed',
    scope: '/',
    display: 'standalone' as const,
    theme_color: deriveMailBrand(brand.brandColor).fill,
    background_color: '#ffffff',
    icons: [icon('192.png', '192x192', 'any'), icon('512.png', '512x512', 'any'), icon('maskable.png', '512x512', 'maskable')],
  };
}

/** Returns the elements in the head of an agency's page that let a browser offer to install it. */
export function installLinks(secret: string, brand: BrandRow) {
  return {
    manifestUrl: manifestPath(secret, brand.id),
    touchIconUrl: iconPath(secret, brand, 'touch.png'),
    themeColor: { light: deriveMailBrand(brand.brandColor).fill, dark: DARK_SURFACE },
  };
}
