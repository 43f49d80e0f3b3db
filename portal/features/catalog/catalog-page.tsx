import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useDeferredValue } from 'react';
import { joinWords, plural } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { NoMatch } from '../../ui/feedback/no-match.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { useClientChoices } from '../../shared/choices.ts';
import { CatalogDetail } from './catalog-detail.tsx';
import { type CatalogEntry, catalogQuery, categoryGroup, categoryRank, type CatalogSearch } from '../../queries/catalog.ts';
import { credentialsQuery } from '../../queries/credentials.ts';
import { refusedKeys } from './key-state.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useChangeSearch } from '../../app/search-state.ts';

/** The catalog by category, with each template's state for the selected client. */
export function CatalogPage({
  client,
  show: chosen,
  q,
  open,
  request,
}: CatalogSearch & { client: string | undefined; /** The way to ask for this one. */ request: (entry: CatalogEntry) => ReactNode }) {
  const user = useUser();
  const show = chosen ?? 'all';
  useTitle('Catalog', user.partner.name);
  const all = useLoaded(catalogQuery(useDeferredValue(client)));
  const keys = useQuery(credentialsQuery(client)).data;
  const refusedOf = (entry: CatalogEntry) => refusedKeys(entry, keys, client);
  const isReady = (entry: CatalogEntry) => entry.ready && refusedOf(entry).length === 0;
  const clientName = useClientChoices(client, { isAsked: client !== undefined }).name;
  const set = useChangeSearch<CatalogSearch>('/dashboard/catalog');
  const onText = useCallback((text: string | undefined) => set({ q: text }), [set]);
  const close = useCallback(() => set({ open: undefined }), [set]);
  const found = all.filter((entry) => (show !== 'ready' || isReady(entry)) && fits(entry, show, q));
  const opened = all.find((entry) => entry.name === open);
  const sorted = found.toSorted((a, b) => categoryRank(a.category) - categoryRank(b.category));
  const groups = [...Map.groupBy(sorted, (entry) => categoryGroup(entry.category))];
  return (
    // The page moves next to the drawer, not under it, where both fit.
    <div className={opened ? 'rail:mr-98' : undefined}>
      <PageHeader
        title="Catalog"
        meta={`${plural(all.length, 'agent')}. Readiness is for ${clientName ?? (client ? 'this client' : 'your agency’s default keys')}.`}
      />
      <div className="max-w-page">
        <FilterBar
          text={q}
          onText={onText}
          placeholder="Filter by name"
          chips={
            <Segmented
              label="Show"
              value={show}
              onChange={(next) => set({ show: next === 'all' ? undefined : next })}
              options={[
                { value: 'all', label: `All ${all.length}` },
                { value: 'ready', label: `Ready ${all.filter(isReady).length}` },
                ...(client ? [{ value: 'installed' as const, label: `Installed ${all.filter((entry) => entry.installed).length}` }] : []),
              ]}
            />
          }
        />
      </div>
      {found.length === 0 ? (
        <NoMatch what="agent" onClear={() => set({ q: undefined, show: undefined })}>
          {q
            ? `No agent matches “${q}”.`
            : show === 'installed'
              ? 'No agents installed for this client yet.'
              : 'No agent has all its keys yet. Add or replace them under Integrations.'}
        </NoMatch>
      ) : null}
      <div className="max-w-page">
        {groups.map(([group, entries]) => (
          <section key={group} className="mb-6">
            <h2 className="border-b border-line pb-2 text-sm font-normal text-ink-2">{group}</h2>
            <ul>
              {entries.map((entry) => (
                <EntryRow
                  key={entry.name}
                  entry={entry}
                  refused={refusedOf(entry)}
                  isOpen={entry.name === open}
                  onOpen={() => set({ open: entry.name })}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Drawer
        open={opened !== undefined}
        narrow
        onClose={close}
        title={opened?.title ?? ''}
        meta={opened ? `${categoryGroup(opened.category)}, version ${opened.templateVersion}` : undefined}
        actions={opened ? request(opened) : undefined}
      >
        {opened ? <CatalogDetail entry={opened} clientId={client} clientName={clientName} /> : null}
      </Drawer>
    </div>
  );
}

type RowProps = StateProps & { isOpen: boolean; onOpen: () => void };

function EntryRow({ entry, refused, isOpen, onOpen }: RowProps) {
  return (
    <li
      className={`border-b border-line-soft ${isOpen ? 'bg-accent-wash shadow-[inset_2px_0_0_var(--color-accent-mark)]' : 'hover:bg-hover'}`}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className="flex w-full items-center gap-x-3 gap-y-1 px-2 py-2.5 text-left max-md:flex-wrap focus-visible:-outline-offset-2"
      >
        <TemplateIcon name={entry.icon} />
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{entry.title}</span>
          <span className="block text-ink-2 max-md:line-clamp-2 md:truncate">{entry.summary}</span>
        </span>
        <span className="tabular-nums hidden w-16 text-right text-ink-3 md:block">
          {entry.creditsPerRun === undefined ? null : plural(entry.creditsPerRun, 'credit')}
        </span>
        <span className="w-33 max-md:w-full max-md:pl-10">
          <EntryState entry={entry} refused={refused} />
        </span>
      </button>
    </li>
  );
}

type StateProps = { entry: CatalogEntry; refused: CatalogEntry['requiredConnections'] };

/** Installed, ready, or what is missing or refused. */
function EntryState({ entry, refused }: StateProps) {
  if (entry.installed) return <Status mark="ok">Installed</Status>;
  if (entry.ready && refused.length > 0) {
    return (
      <Status mark="bad" tone="bad">
        {joinWords(refused.map((provider) => PROVIDERS[provider].name))} refused
      </Status>
    );
  }
  if (entry.ready) return <Status mark="wait">Ready</Status>;
  const missing = entry.missingConnections.map((provider) => PROVIDERS[provider].name);
  return (
    <Status mark="warn" tone="warn">
      Needs {missing.length > 0 ? joinWords(missing) : 'a key'}
    </Status>
  );
}

function fits(entry: CatalogEntry, show: NonNullable<CatalogSearch['show']> | 'all', q: string | undefined): boolean {
  if (show === 'installed' && !entry.installed) return false;
  return !q || `${entry.title} ${entry.summary}`.toLowerCase().includes(q.toLowerCase());
}
