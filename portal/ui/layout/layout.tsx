import clsx from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import './figures.css';
import './key-hint.css';
import './key-values.css';
import './panel.css';
import './section-header.css';
import './tabs.css';

/** Title, one meta line, and at most one primary and two secondary actions. */
export function PageHeader({
  title,
  badge,
  meta,
  actions,
}: {
  title: ReactNode;
  badge?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start gap-2">
      <div className="min-w-50 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-xl tracking-title">{title}</h1>
          {badge}
        </div>
        {meta ? <p className="tabular-nums text-ink-3">{meta}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}

/** A ruled panel. `flush` lets a table or list reach its edges. */
export function Panel({
  title,
  aside,
  flush,
  children,
  className,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  flush?: boolean;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={clsx('panel', className)}>
      {title ? (
        <header className="panel-header">
          <h2>{title}</h2>
          {aside ? <div className="tabular-nums ml-auto flex items-center gap-2 text-xs text-ink-3">{aside}</div> : null}
        </header>
      ) : null}
      {flush ? children : <div className="p-4">{children}</div>}
    </section>
  );
}

/** A section without a border: a heading and its content. */
export function Section({
  title,
  note,
  aside,
  children,
  className,
}: {
  title: ReactNode;
  note?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={clsx('mb-6', className)}>
      <div className="section-header">
        <h2>{title}</h2>
        {note === undefined ? null : <span className="tabular-nums text-ink-3">{note}</span>}
        {aside ? <div className="ml-auto flex items-center gap-2">{aside}</div> : null}
      </div>
      {children}
    </section>
  );
}

/** Keys and values in two columns. */
export function KeyValues({ rows }: { rows: readonly (readonly [ReactNode, ReactNode] | undefined)[] }) {
  return (
    <dl className="key-values">
      {rows.map((row, index) =>
        row ? (
          <div key={index} className="contents">
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

export type Figure = { label: ReactNode; value: ReactNode; unit?: ReactNode; note?: ReactNode };

/** Four or five figures in a row; the note of each links to a page. */
export function Figures({ items }: { items: readonly Figure[] }) {
  return (
    <dl className="figures">
      {items.map((item, index) => (
        <div key={index}>
          <dt>{item.label}</dt>
          <dd>
            {item.value}
            {item.unit ? <small>{item.unit}</small> : null}
          </dd>
          {item.note ? <dd className="figures-note">{item.note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

/** Tabs that do not fit scroll sideways; the current one is always visible. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which must not become the effect's clean-up.
    void ref.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  return (
    <nav ref={ref} className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}

export function TabCount({ children }: { children: ReactNode }) {
  return <i>{children}</i>;
}

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="key-hint">{children}</kbd>;
}
