import { deriveBrand } from '@partner-portal/core/tenancy/brand.ts';
import { brandTokens } from '../../shared/brand.ts';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import '../../ui/layout/section-header.css';

type Props = { name: string; hex: string | null; logoUrl: string | null; logoAlt: string | null };

/** Preview of the client portal in the partner's colour, in both themes. */
export function BrandPreview({ name, hex, logoUrl, logoAlt }: Props) {
  const brand = hex ? deriveBrand(hex) : undefined;
  return (
    <aside>
      <div className="section-header">
        <h2>What your clients see</h2>
      </div>
      <div className="grid gap-3">
        {(['light', 'dark'] as const).map((theme) => (
          // Sets custom properties for this subtree; the colour scheme flips all tokens in it.
          <div
            key={theme}
            style={{ colorScheme: theme, ...brandTokens(hex) }}
            className="overflow-hidden rounded-lg border border-line bg-canvas text-ink"
          >
            <div className="flex h-11 items-center gap-2 border-b border-line bg-surface px-3">
              <AgencyMark name={name || '?'} logoUrl={logoUrl} logoAlt={logoAlt} />
              <b className="min-w-0 truncate">{name}</b>
              <span className="relative ml-auto self-stretch leading-11 text-xs font-semibold">
                Home
                <i className="absolute inset-x-0 -bottom-px h-0.5 bg-brand" />
              </span>
            </div>
            <div className="p-3.5">
              <p className="text-lg font-figure">
                In November your agents saved you about <span className="text-brand">42 hours</span>.
              </p>
              <p className="mt-2 flex items-center gap-2 rounded-md bg-brand-wash px-2.5 py-1.5 text-brand">Texting a caller now</p>
              <p className="mt-3 flex items-center gap-3">
                <span className="rounded-md bg-brand-fill px-3 py-1.5 font-medium text-on-brand">Save</span>
                <span className="text-ink-3">{theme === 'light' ? 'Light theme' : 'Dark theme'}</span>
              </p>
            </div>
          </div>
        ))}
        {brand?.textMoved ? <Note tone="warn">Your colour is hard to read as text, so we use a different shade for text.</Note> : null}
        {hex ? null : <p className="text-xs text-ink-3">Without a brand colour, the default colour is used.</p>}
      </div>
    </aside>
  );
}
