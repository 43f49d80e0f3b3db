import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { clientChoicesQuery, clientQuery, readClientIds } from '../queries/clients.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/forms/field.tsx';
import { useLoadOnScroll } from '../ui/hooks/use-load-on-scroll.ts';
import { TextFilter } from '../ui/table/filter-bar.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { announceError } from './announce-error.ts';
import { rowsOf } from './paged-table.tsx';
import '../ui/forms/field.css';
import { loadMore } from './load-more.ts';

/** Lists longer than this get a text filter. */
const FILTER_FROM = 8;

type Props = {
  legend: string;
  /** Shown to the right of the legend: "required". */
  note?: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  /** Maximum number of chosen clients. */
  most: number;
  /** A client that is not offered. */
  except?: string | undefined;
  error?: string | undefined;
};

/** Chooses some of the agency's clients, however many there are. Archived ones are not offered. */
export function ClientChoice({ legend, note, chosen, onChange, most, except, error }: Props) {
  const [text, setText] = useState<string>();
  const list = useInfiniteQuery(clientChoicesQuery(text));
  const loaded = rowsOf(list).filter((one) => one.id !== except);
  const first = useFirstChosen(chosen, text === undefined && list.isSuccess ? loaded : undefined);
  const shown = [...first, ...loaded];
  const all = useChooseAll({ text, chosen, onChange, most, except });
  const { end, allowMore } = useLoadOnScroll({
    isReady: list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError,
    onMore: () => void loadMore(list),
  });
  const isFull = chosen.length >= most;
  // The ids on pages that are not loaded are known only after "choose all".
  const matching = list.hasNextPage ? all.found : shown.map((one) => one.id);
  const areAllChosen = matching !== undefined && matching.length > 0 && matching.every((id) => chosen.includes(id));
  const toggle = (id: string): void => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const toggleAll = (): void => {
    if (areAllChosen) onChange(chosen.filter((id) => !matching.includes(id)));
    else if (list.hasNextPage) all.choose();
    else onChange([...new Set([...chosen, ...shown.map((one) => one.id)])].slice(0, most));
  };
  return (
    <fieldset>
      <legend className="field-label">
        {legend}
        {note ? <span className="field-note">{note}</span> : null}
      </legend>
      <div className="rounded-md border border-line">
        {text !== undefined || shown.length > FILTER_FROM ? (
          // Enter looks for clients and does not send the form around it.
          <div className="border-b border-line-soft p-2" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
            <TextFilter text={text ?? ''} onText={setText} placeholder="Find by name, contact or reference" isWide />
          </div>
        ) : null}
        <div className="max-h-53 overflow-y-auto px-3 py-1.5" aria-busy={list.isPlaceholderData || all.isBusy}>
          {shown.length > 1 ? (
            <Checkbox
              label={<b>{list.hasNextPage ? (text ? 'All that match' : 'All clients') : `All ${formatNumber(shown.length)}`}</b>}
              checked={areAllChosen}
              disabled={all.isBusy}
              onChange={toggleAll}
            />
          ) : null}
          {shown.map((one) => (
            <Checkbox
              key={one.id}
              label={
                <span className="wrap-anywhere">
                  {one.name}
                  {one.externalRef ? <span className="ml-2 text-xs text-ink-3">{one.externalRef}</span> : null}
                </span>
              }
              checked={chosen.includes(one.id)}
              disabled={isFull && !chosen.includes(one.id)}
              onChange={() => toggle(one.id)}
            />
          ))}
          {list.hasNextPage ? (
            <div ref={end} className="py-1">
              <Button
                size="sm"
                busy={list.isFetchingNextPage && 'Loading'}
                onClick={() => {
                  allowMore();
                  void loadMore(list);
                }}
              >
                Show more clients
              </Button>
            </div>
          ) : null}
          {list.data && shown.length === 0 ? (
            <p className="py-1 text-ink-3">
              {text ? `No client matches “${text}”.` : except ? 'Add another client first.' : 'Add a client first.'}
            </p>
          ) : null}
        </div>
        {chosen.length > 0 ? (
          <div className="flex min-h-9 items-center gap-2 border-t border-line-soft px-3">
            <span role="status" className="flex-1 tabular-nums text-ink-2">
              {all.isBusy ? 'Choosing all of them' : `${formatNumber(chosen.length)} chosen${isFull ? ', the limit' : ''}`}
            </span>
            <Button size="sm" kind="quiet" onClick={() => onChange([])}>
              Clear the choice
            </Button>
          </div>
        ) : null}
      </div>
      {error ? (
        <p className="field-hint" data-bad="">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

/** Clients that were chosen before the form opened, while they are on none of the loaded pages. */
function useFirstChosen(chosen: readonly string[], loaded: readonly { id: string }[] | undefined) {
  const [ids] = useState(chosen);
  const missing = loaded ? ids.filter((id) => !loaded.some((one) => one.id === id)) : [];
  return useQueries({ queries: missing.map((id) => clientQuery(id)) }).flatMap(({ data }) => data ?? []);
}

type AllProps = Pick<Props, 'chosen' | 'onChange' | 'most' | 'except'> & { text: string | undefined };

/** Chooses all matching clients, including those on pages that are not loaded. */
function useChooseAll({ text, chosen, onChange, most, except }: AllProps) {
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<{ text: string | undefined; ids: readonly string[] }>();
  // Clients chosen while the ids load stay chosen.
  const last = useRef({ chosen, onChange });
  useEffect(() => {
    last.current = { chosen, onChange };
  }, [chosen, onChange]);
  const choose = (): void => {
    setBusy(true);
    readClientIds(text, most + 1)
      .then((ids) => {
        const added = ids.filter((id) => id !== except).slice(0, most);
        setFound({ text, ids: added });
        last.current.onChange([...new Set([...last.current.chosen, ...added])].slice(0, most));
      })
      .catch((error: unknown) => announceError(error))
      .finally(() => setBusy(false));
  };
  return { isBusy, choose, found: found && found.text === text ? found.ids : undefined };
}
