import { type FilteredTable, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Bookmark, BookmarkCheck, Pencil, Plus, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { v4 as newId } from 'uuid';
import { api, formApi } from '../app/api.ts';
import { useIsViewing } from '../app/current-user.ts';
import { queryClient } from '../app/query-client.ts';
import { type FilterValues, type SavedFilter, savedFiltersQuery } from '../queries/saved-filters.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { READ_ONLY } from '../ui/controls/read-only.ts';
import { announce } from '../ui/feedback/toast.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';
import { Menu, type MenuItem } from '../ui/overlays/menu.tsx';
import { announceError } from './announce-error.ts';
import { applyFilter, areSame, filtersIn } from './filter-values.ts';
import { Form } from './forms/form.tsx';
import { useForm } from './forms/use-form.ts';
import '../ui/controls/button.css';

type Props = {
  table: FilteredTable;
  /** Members of the address that are filters of this table. */
  keys: readonly string[];
};

/** The user's own filters of a table: apply, save the present one, rename, delete. A view-as session may only apply. Each table has its keys. */
export const SavedFilters = memo(Filters, (before, now) => before.table === now.table);

function Filters({ table, keys }: Props) {
  const search = useLocation({ select: (location) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const isViewing = useIsViewing();
  const { data = [], isSuccess } = useQuery(savedFiltersQuery(table));
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const present = filtersIn(search, keys);
  const applied = data.find((one) => areSame(one.search, present));
  const isUnfiltered = Object.keys(present).length === 0;
  const apply = (filter: SavedFilter): void =>
    // Checked again by the route's validateSearch.
    void navigate({ to: '.', search: applyFilter(search, filter.search, keys) as never, replace: true, resetScroll: false });
  const refusal = isViewing ? READ_ONLY : undefined;
  const items: MenuItem[] = [
    ...data.map((one) => ({ label: one.name, onPick: () => apply(one), checked: one.id === applied?.id, isChoice: true })),
    ...(data.length > 0 && !isViewing ? (['line'] as const) : []),
    {
      label: 'Save this filter',
      icon: <Plus aria-hidden />,
      onPick: () => setDialog('save'),
      disabledReason:
        refusal ??
        (isUnfiltered
          ? 'Filter the list first.'
          : applied
            ? `Saved as “${applied.name}”.`
            : data.length >= LIMITS.savedFiltersPerTable
              ? `You can save ${LIMITS.savedFiltersPerTable} filters for a list.`
              : isSuccess
                ? undefined
                : 'Loading …'),
    },
    ...(data.length > 0
      ? [{ label: 'Rename or delete', icon: <Pencil aria-hidden />, onPick: () => setDialog('manage'), disabledReason: refusal }]
      : []),
  ];
  if (isViewing && data.length === 0) return null;
  return (
    <>
      <Menu
        label="Saved filters"
        align="start"
        items={items}
        trigger={
          <button
            type="button"
            className={`button button-small ${applied ? '' : 'button-square'}`}
            aria-label={applied ? `Saved filters: ${applied.name}` : 'Saved filters'}
          >
            <span className="button-content">
              {applied ? <BookmarkCheck aria-hidden /> : <Bookmark aria-hidden />}
              {applied ? <span className="max-w-35 truncate">{applied.name}</span> : null}
            </span>
          </button>
        }
      />
      <Dialog open={dialog === 'save'} onClose={() => setDialog(undefined)} title="Save this filter">
        <NameForm table={table} search={present} onDone={() => setDialog(undefined)} />
      </Dialog>
      <Dialog open={dialog === 'manage'} onClose={() => setDialog(undefined)} title="Saved filters">
        <Manage table={table} filters={data} onDone={() => setDialog(undefined)} />
      </Dialog>
    </>
  );
}

function show(saved: SavedFilter): void {
  queryClient.setQueryData(savedFiltersQuery(saved.table).queryKey, (before = []) =>
    [...before.filter((one) => one.id !== saved.id), saved].toSorted((a, b) => a.name.localeCompare(b.name)),
  );
}

/** A new filter, or the new name of one. */
function NameForm({
  table,
  search,
  filter,
  onDone,
}: {
  table: FilteredTable;
  search: FilterValues;
  filter?: SavedFilter;
  onDone: () => void;
}) {
  // Chosen here, so that a repeated save is one filter.
  const [id] = useState(() => filter?.id ?? newId());
  const form = useForm({
    saved: { name: filter?.name ?? '' },
    send: ({ name }) => formApi.putSavedFilter({ params: { id }, body: { table, name, search } }),
    onSaved: (saved) => {
      show(saved);
      announce(filter ? 'Filter renamed.' : 'Filter saved.');
      onDone();
    },
  });
  return (
    <Form form={form} className="grid gap-4 pt-2">
      <TextField
        label="Name"
        maxLength={LIMITS.savedFilterNameMax}
        placeholder="For example: failing this week"
        hint={filter ? undefined : 'Only you see it, on every device.'}
        {...form.input('name')}
      />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={form.values.name.trim() === ''} busy={form.isBusy && 'Saving'}>
          {filter ? 'Rename' : 'Save'}
        </Button>
      </DialogActions>
    </Form>
  );
}

function Manage({ table, filters, onDone }: { table: FilteredTable; filters: readonly SavedFilter[]; onDone: () => void }) {
  const [renaming, setRenaming] = useState<SavedFilter>();
  const remove = useMutation({
    mutationFn: (filter: SavedFilter) => api.deleteSavedFilter({ params: { id: filter.id } }),
    onSuccess: (_none, filter) => {
      queryClient.setQueryData(savedFiltersQuery(table).queryKey, (before = []) => before.filter((one) => one.id !== filter.id));
      if (filters.length === 1) onDone();
      announce(`“${filter.name}” is deleted.`, { undo: () => void restore(filter) });
    },
    onError: (error) => announceError(error),
  });
  if (renaming) return <NameForm table={table} search={renaming.search} filter={renaming} onDone={() => setRenaming(undefined)} />;
  return (
    <>
      <ul className="grid gap-1 pt-2">
        {filters.map((filter) => (
          <li key={filter.id} className="flex items-center gap-1 border-b border-line-soft py-1 last:border-b-0">
            <span className="min-w-0 flex-1 truncate">{filter.name}</span>
            <IconButton size="sm" label={`Rename ${filter.name}`} onClick={() => setRenaming(filter)}>
              <Pencil aria-hidden />
            </IconButton>
            <IconButton size="sm" label={`Delete ${filter.name}`} onClick={() => remove.mutate(filter)}>
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onDone}>Close</Button>
      </DialogActions>
    </>
  );
}

async function restore({ id, table, name, search }: SavedFilter): Promise<void> {
  try {
    show(await api.putSavedFilter({ params: { id }, body: { table, name, search } }));
  } catch (error) {
    announceError(error);
  }
}
