import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { type WorkItem, workQueueQuery } from '../../queries/work-queue.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Avatar } from '../../ui/identity/marks.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { keyOf } from './item.ts';
import { useOpenItem } from './open-item.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** The owner of an item: initials, or a dashed ring if unassigned. */
export function OwnerMark({ item }: { item: WorkItem }) {
  if (item.ownerName === null)
    return (
      <span className="size-5 flex-none rounded-full border border-dashed border-control" title="Unassigned">
        <span className="sr-only">Unassigned</span>
      </span>
    );
  return (
    <span title={item.ownerName} className="flex-none">
      <Avatar name={item.ownerName} className="!size-5 !text-3xs" />
      <span className="sr-only">Taken by {item.ownerName}</span>
    </span>
  );
}

/** Assigns the open item to the user or unassigns it; shortcut M. */
export function OwnerActions({ item }: { item: WorkItem }) {
  const user = useUser();
  const refusal = useRefusal('partners.manage');
  const { isSettled } = useOpenItem();
  const isMine = item.ownerId === user.id;
  const assign = useMutation({
    mutationFn: () => api.assignWorkItem({ body: { kind: item.kind, itemId: item.itemId, assigned: !isMine } }),
    onSuccess: (changed) =>
      queryClient.setQueryData(workQueueQuery.queryKey, (before) => before?.map((one) => (keyOf(one) === keyOf(changed) ? changed : one))),
    onError: (error) => {
      announceError(error);
      void refreshAfter('workItemConflict');
    },
  });
  const run = (): void => {
    if (!refusal && !assign.isPending) assign.mutate();
  };
  useKeys(isSettled ? [] : [{ keys: 'm', label: isMine ? 'Unassign' : 'Assign to me', group: 'This page', run }]);
  if (isSettled) return null;
  return (
    <span className="ml-auto flex items-center gap-2 text-ink-2">
      {item.ownerName ? (
        <>
          <Avatar name={item.ownerName} />
          <span>{isMine ? 'Yours' : item.ownerName}</span>
        </>
      ) : null}
      <Button kind="quiet" disabledReason={refusal} onClick={run}>
        {isMine ? 'Unassign' : item.ownerId ? 'Take over' : 'Assign to me'} <Kbd>M</Kbd>
      </Button>
    </span>
  );
}

/** Decision buttons and the owner of an item. */
export function ActionRow({ item, children }: { item: WorkItem; children?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-2">
      {children}
      <OwnerActions item={item} />
    </div>
  );
}
