import clsx from 'clsx';
import './avatar.css';

export function Avatar({ text, className }: { text: string; className?: string }) {
  return (
    <span className={clsx('avatar', className)} aria-hidden>
      {text}
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

/** An agency's logo, or its initials on its colour. A logo without a dark version has a white background. */
export function AgencyMark({ name, logoUrl, size = 22 }: { name: string; logoUrl: string | null | undefined; size?: number }) {
  if (logoUrl) return <img src={logoUrl} alt="" className="max-h-[26px] max-w-40 rounded-sm bg-white object-contain" />;
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
