import clsx from 'clsx';
import { useState } from 'react';
import { initials } from '../text/initials.ts';
import './avatar.css';

/** A person's picture, or the initials. Decorative: the name is shown next to it. */
export function Avatar({ name, url, className }: { name: string; url?: string | null | undefined; className?: string }) {
  const [failed, setFailed] = useState<string>();
  if (url && failed !== url)
    return <img src={url} alt="" className={clsx('avatar object-cover', className)} onError={() => setFailed(url)} />;
  return (
    <span className={clsx('avatar', className)} aria-hidden>
      {initials(name)}
    </span>
  );
}

/** The product's logo, three arches, used where there is no agency logo. */
export function PortalMark() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" fill="none" strokeWidth="2.4" strokeLinecap="round" aria-hidden>
      <path d="M4 21V11a8 8 0 0 1 16 0v10" stroke="var(--color-ink)" />
      <path d="M9.3 21v-9.6a2.7 2.7 0 0 1 5.4 0V21" stroke="var(--color-accent-mark)" />
    </svg>
  );
}

type AgencyMarkProps = {
  name: string;
  logoUrl: string | null | undefined;
  /** The text in place of the logo; without one, the name. */
  logoAlt?: string | null | undefined;
  size?: number;
};

/** An agency's logo, or its initials on its colour. A logo without a dark version has a white background. */
export function AgencyMark({ name, logoUrl, logoAlt, size = 22 }: AgencyMarkProps) {
  const [failed, setFailed] = useState<string>();
  if (logoUrl && failed !== logoUrl)
    return (
      <img
        src={logoUrl}
        alt={logoAlt || name}
        className="h-6.5 max-w-40 flex-none rounded-sm bg-white object-contain object-left"
        onError={() => setFailed(logoUrl)}
      />
    );
  return (
    <span
      aria-hidden
      className="grid flex-none place-items-center rounded-sm bg-brand-fill font-semibold text-on-brand"
      style={{ width: size, height: size, fontSize: size * 0.5, lineHeight: 1 }}
    >
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}
