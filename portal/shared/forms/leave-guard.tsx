import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions, holdFocus } from '../../ui/overlays/dialog.tsx';

export type LeaveGuardProps = {
  /** Whether something would be lost, asked at the moment of leaving. */
  isAtRisk: () => boolean;
  /** The tabs of the page share what is typed. */
  outlivesTabs?: boolean;
  title?: string;
  text?: string;
};

/** Asks before another page, another tab of the page, another row in its drawer, Back, a reload or closing the window would lose what is not saved. */
export function LeaveGuard({ isAtRisk, outlivesTabs = false, title, text }: LeaveGuardProps) {
  const { t } = useMessages();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isAtRisk() &&
      (current.pathname !== next.pathname ||
        (!outlivesTabs && (partOf(current.search) !== partOf(next.search) || isReplaced(current.search, next.search)))),
    enableBeforeUnload: isAtRisk,
    withResolver: true,
  });
  const stay = (): void => blocker.reset?.();
  return (
    <Dialog open={blocker.status === 'blocked'} onClose={stay} title={title ?? t('common.leaveTitle')}>
      <p className="text-ink-2">{text ?? t('common.leaveText')}</p>
      <DialogActions>
        <Button ref={holdFocus} onClick={stay}>
          {t('common.stay')}
        </Button>
        <Button kind="danger-text" onClick={() => blocker.proceed?.()}>
          {t('common.leave')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** What of the address decides which forms a page shows: its tab, and the client chosen in the header. */
function partOf(search: object): string {
  const { tab, client } = search as { tab?: unknown; client?: unknown }; // other parameters open drawers and filter lists
  return JSON.stringify([tab, client]);
}

/** Parameters that open a drawer with a form. */
const DRAWERS = ['service', 'for', 'key', 'request', 'plan', 'rate', 'edit'];

/** Whether the drawer that is open shows something else next. Closing it is the reader's own choice, as with a dialog. */
function isReplaced(current: object, next: object): boolean {
  const [before, after] = [current, next].map((search) => DRAWERS.map((name) => (search as Record<string, unknown>)[name])); // parameters of any page
  const isOpen = (all: readonly unknown[] = []): boolean => all.some((value) => value !== undefined);
  return isOpen(before) && isOpen(after) && JSON.stringify(before) !== JSON.stringify(after);
}
