import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import type { Invoice } from '../../queries/billing.ts';
import { invoiceListQuery } from '../../queries/invoice-filters.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { Kbd, PageHeader } from '../../ui/layout/layout.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { plural } from '../../ui/text/format.ts';
import { type Act, ACT_KEYS } from './acts.ts';
import { useInvoiceActs } from './invoice-acts.tsx';
import { InvoiceDrawer } from './invoice-drawer.tsx';
import { ONE_AGENCY, usePartnerChoices } from '../../shared/choices.ts';
import { INVOICE_STATUS } from '../../shared/billing-labels.ts';
import { filtersOf, type InvoiceSearch, SHOWS } from './invoice-search.ts';
import { FoundInvoices, OpenInvoices } from './invoice-tables.tsx';
import { spanChoices } from '../../shared/spans.ts';

const SHOW_OPTIONS = SHOWS.map((value) => ({
  value,
  label: value === 'overdue' ? 'Overdue' : value === 'all' ? 'Any' : INVOICE_STATUS[value].word,
}));
const TIME_OPTIONS = spanChoices('30d', '90d', '365d');

type Props = { search: InvoiceSearch; onSearch: (change: InvoiceSearch) => void };

/** Invoices of all agencies: overdue first, then drafts and what is issued; any others by filter. */
export function InvoicesPage({ search, onSearch }: Props) {
  useTitle('Invoices');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<readonly Invoice[]>([]);
  const acts = useInvoiceActs(() => setChosen(new Set()));
  const picked = shown.filter((invoice) => invoice.status === 'draft' && chosen.has(invoice.id));
  const close = useCallback(() => onSearch({ invoice: undefined }), [onSearch]);
  const open = useCallback((invoice: string) => onSearch({ invoice }), [onSearch]);
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const acted = useRef<string>(undefined);
  useFocusAgain(acted, shown);
  const act = (name: Act) => (): void => {
    const focused = shown.find(({ id }) => id === focusedRow()) ?? shown.find(({ id }) => id === search.invoice);
    if (name === 'issue' && picked.length > 0) acts.start('issue', picked);
    else if (focused) {
      acted.current = focused.id;
      acts.start(name, [focused]);
    }
  };
  useKeys(
    (['issue', 'pay', 'credit', 'void', 'print'] as const).map((name) => ({
      keys: ACT_KEYS[name].key,
      label: ACT_KEYS[name].label,
      group: 'This page',
      run: act(name),
    })),
  );
  const table = {
    search,
    onShown: setShown,
    choice: { chosen, onToggle: toggle },
    onOpen: open,
    onClear: () => onSearch({ show: undefined, time: undefined, partner: undefined }),
  };
  return (
    <>
      <PageHeader
        title="Invoices"
        meta="What agencies owe: overdue first, then drafts to issue"
        actions={<ExportButton name="invoices" read={() => api.exportInvoices({ query: invoiceListQuery(filtersOf(search)) })} />}
      />
      <FilterBar
        chips={<Chips search={search} onSearch={onSearch} />}
        tools={
          <>
            <SavedFilters table="invoices" keys={['show', 'time', 'partner']} />
            {picked.length > 0 ? (
              <Button kind="primary" size="sm" disabledReason={acts.refusal} onClick={() => acts.start('issue', picked)}>
                Issue {plural(picked.length, 'draft')} <Kbd>I</Kbd>
              </Button>
            ) : null}
          </>
        }
      />
      {search.show || search.time ? <FoundInvoices {...table} /> : <OpenInvoices {...table} />}
      {search.invoice ? <InvoiceDrawer key={search.invoice} id={search.invoice} acts={acts} onOpen={open} onClose={close} /> : null}
      {acts.dialog}
    </>
  );
}

/** Focuses the row that was acted on when it is back: it leaves its group and appears in another one. */
function useFocusAgain(acted: { current: string | undefined }, shown: readonly Invoice[]): void {
  useEffect(() => {
    if (acted.current === undefined || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(acted.current)}"]`);
    if (!row) return;
    acted.current = undefined;
    row.focus();
  }, [acted, shown]);
}

function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

function Chips({ search, onSearch }: Props) {
  const agencies = usePartnerChoices(search.partner);
  const set = (change: InvoiceSearch): void => onSearch({ ...change, invoice: undefined });
  return (
    <>
      <FilterChip name="State" value={search.show} options={SHOW_OPTIONS} onChange={(show) => set({ show })} />
      <FilterChip
        name="Agency"
        value={search.partner}
        options={agencies.options}
        search={agencies.search}
        chosenName={agencies.name ?? ONE_AGENCY}
        onChange={(partner) => set({ partner })}
      />
      <FilterChip name="Time" value={search.time} options={TIME_OPTIONS} onChange={(time) => set({ time })} />
    </>
  );
}
