import { useRef } from 'react';
import { useLive } from '../../app/use-live.ts';
import { type AccountExport, exportsQuery, type AccountRef } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { queryClient } from '../../app/query-client.ts';
import type { LiveState } from '../../ui/feedback/live-dot.tsx';

/** Follows the exports of an account and updates the list in place; `onFinished` is called once for each that ends meanwhile. */
export function useLiveExports(account: AccountRef, onFinished: (done: AccountExport) => void): LiveState {
  const finished = useRef(new Set<string>());
  const { queryKey } = exportsQuery(account);
  return useLive({
    path: `/account-export/stream${account.partnerId ? `?partnerId=${account.partnerId}` : ''}`,
    onEvent: ({ data }) => {
      const changed = JSON.parse(data) as AccountExport; // the list's own record, by contract
      const before = queryClient
        .getQueryData(queryKey)
        ?.pages.flatMap((page) => page.data)
        .find(({ id }) => id === changed.id);
      if (!before) return void refreshAfter('exportsChanged');
      if (isOpen(before) && !isOpen(changed) && !finished.current.has(changed.id)) {
        finished.current.add(changed.id);
        onFinished(changed);
      }
      queryClient.setQueryData(
        queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, data: page.data.map((one) => (one.id === changed.id ? changed : one)) })),
          },
      );
    },
    onCatchUp: () => void refreshAfter('exportsChanged'),
    continues: queryKey,
  });
}

/** Whether an export is still being made. */
export function isOpen({ status }: Pick<AccountExport, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}
