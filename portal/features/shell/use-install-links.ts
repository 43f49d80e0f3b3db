import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepInstallOffer } from '../../app/install.ts';
import { installQuery } from './queries.ts';

/** Puts manifest, icon and colour of the agency into the head, so that a browser can install its portal. */
export function useInstallLinks(): void {
  const { data } = useQuery(installQuery);
  useEffect(() => {
    if (!data) return;
    keepInstallOffer();
    // On an agency's own host they are in the page from its first byte.
    const isLinked = document.head.querySelector('link[rel="manifest"]') !== null;
    const links = [
      element('link', { rel: 'manifest', href: data.manifestUrl }),
      element('link', { rel: 'apple-touch-icon', href: data.touchIconUrl }),
    ];
    const added = [
      ...(isLinked ? [] : links),
      element('meta', { name: 'theme-color', content: data.themeColor.light, media: '(prefers-color-scheme: light)' }),
      element('meta', { name: 'theme-color', content: data.themeColor.dark, media: '(prefers-color-scheme: dark)' }),
    ];
    document.head.append(...added);
    return () => {
      for (const one of added) one.remove();
    };
  }, [data]);
}

function element(name: 'link' | 'meta', attributes: Readonly<Record<string, string>>): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
