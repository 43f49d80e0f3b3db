import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { formatAgo } from '../../ui/text/format.ts';
import { splitHref } from '../../app/split-href.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { MoreFailed } from '../../shared/more-failed.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Group, groupBySubject } from './group.ts';
import { bellQuery, type Notification } from './queries.ts';
import { useUnread } from './use-unread.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/controls/button.css';
import '../../ui/overlays/menu.css';
import '../../ui/overlays/popover.css';
import { loadMore } from '../../shared/load-more.ts';

const TONES: Record<Notification['tone'], { mark: MarkKind; label: MessageKey }> = {
  ok: { mark: 'ok', label: 'account.good' },
  info: { mark: 'live', label: 'account.info' },
  warn: { mark: 'warn', label: 'account.warning' },
  bad: { mark: 'bad', label: 'account.problem' },
};

/** A link in the panel's footer. */
type FooterLink = { href: string; label: string };

/** The bell with its panel: live notifications grouped by subject. */
export function Bell({ links }: { links: readonly FooterLink[] }) {
  const { t } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  const shown = unread > 9 ? '9+' : String(unread);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          type="button"
          className="button button-quiet button-square relative"
          aria-label={t('account.unreadCount', { count: shown })}
        >
          <BellIcon aria-hidden />
          {unread > 0 ? (
            <span
              aria-hidden
              className="tabular-nums absolute bottom-1/2 left-1/2 mb-0.5 ml-0.5 grid h-3.5 min-w-3.5 place-items-center rounded-full bg-bad-mark px-0.75 text-3xs leading-none font-semibold text-surface"
            >
              {shown}
            </span>
          ) : null}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t('account.notifications')}
          className="menu popover flex max-h-[min(560px,80vh)] w-90 max-w-[calc(100vw-16px)] flex-col !p-0"
        >
          <Panel unread={unread} links={links} onClose={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Panel({ unread, links, onClose }: { unread: number; links: readonly FooterLink[]; onClose: () => void }) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  const list = useInfiniteQuery(bellQuery);
  const readAll = useMutation({
    mutationFn: () => api.readAllNotifications({}),
    onSuccess: () => void refreshAfter('notificationsChanged'),
    onError: (error) => announceError(error),
  });
  const groups = groupBySubject((list.data?.pages ?? []).flatMap((page) => page.data));
  return (
    <>
      <div className="flex min-h-11 items-center gap-2 border-b border-line-soft px-3.5">
        <h2 className="font-semibold">{t('account.notifications')}</h2>
        {unread > 0 && !isViewing ? (
          <Button
            kind="quiet"
            size="sm"
            className="ml-auto"
            onClick={() => readAll.mutate()}
            busy={readAll.isPending && t('account.marking')}
          >
            {t('account.markAll')}
          </Button>
        ) : null}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <Loaded query={list} className="p-3" skeleton={<SkeletonRows rows={4} label={t('account.loadingNotifications')} />}>
          {() =>
            groups.length === 0 ? (
              <p className="flex items-center gap-2 px-3.5 py-4 text-ink-2">
                <Mark kind="ok" />
                {t('account.noNotifications')}
              </p>
            ) : (
              <ul>
                {groups.map((group) => (
                  <Item key={group.newest.subject} group={group} canMark={!isViewing} onClose={onClose} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {list.hasNextPage ? (
          <div className="p-2 text-center">
            <MoreFailed list={list} />
            <Button kind="quiet" size="sm" onClick={() => void loadMore(list)} busy={list.isFetchingNextPage && t('ui.loading')}>
              {t('account.loadOlder')}
            </Button>
          </div>
        ) : null}
      </div>
      <div className="flex min-h-10 items-center gap-4 border-t border-line-soft px-3.5 text-xs">
        {links.map(({ href, label }) => (
          <Link key={href} {...splitHref(href)} className="link" onClick={onClose}>
            {label}
          </Link>
        ))}
      </div>
    </>
  );
}

/** One subject. Opening it marks all its notifications as read. */
function Item({ group: { newest, earlier, unread }, canMark, onClose }: { group: Group; canMark: boolean; onClose: () => void }) {
  const { t } = useMessages();
  const navigate = useNavigate();
  const { mark, label } = TONES[newest.tone];
  const open = (): void => {
    onClose();
    void navigate(splitHref(newest.href));
    if (canMark && unread.length > 0)
      void Promise.all(unread.map((id) => api.readNotification({ params: { id } }))).then(
        () => void refreshAfter('notificationsChanged'),
        (error: unknown) => announceError(error),
      );
  };
  return (
    <li className="border-b border-line-soft last:border-0">
      <button type="button" onClick={open} className="flex w-full items-start gap-2.5 px-3.5 py-2.5 text-left hover:bg-hover">
        <Mark kind={mark} label={t(label)} className="mt-0.75 flex-none" />
        <span className="min-w-0 flex-1">
          <span className="block font-figure text-pretty">{newest.title}</span>
          <span className="block text-ink-2 text-pretty">{newest.body}</span>
          <span className="tabular-nums block text-xs text-ink-3">
            {earlier > 0 ? t('account.earlier', { when: formatAgo(newest.createdAt), count: earlier }) : formatAgo(newest.createdAt)}
          </span>
        </span>
        {unread.length > 0 ? (
          <span role="img" aria-label={t('account.unread')} className="mt-1.75 size-1.5 flex-none rounded-full bg-accent-mark" />
        ) : null}
      </button>
    </li>
  );
}
