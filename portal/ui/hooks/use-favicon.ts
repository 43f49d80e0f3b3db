import { useEffect } from 'react';

/** Shows another icon in the browser's tab while the page is open. */
export function useFavicon(href: string | undefined): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || href === undefined) return;
    const { href: before, type } = link;
    link.href = href;
    // The type of the page's own icon would be wrong for another.
    link.removeAttribute('type');
    return () => {
      link.href = before;
      link.type = type;
    };
  }, [href]);
}

/** A letter on a colour, as the address of an icon. */
export function letterIcon(name: string, hex: string | null): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '';
  const fill = hex && /^#[0-9a-f]{6}$/i.test(hex) ? hex : '#1f6f8b';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${fill}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="600" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
