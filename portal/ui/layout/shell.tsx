import { useMediaQuery, WIDER_THAN_PHONE } from '../hooks/use-media-query.ts';
import { useUiText } from '../text/reader.ts';
import { Menu as MenuIcon, Search, Shield } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AfterPaint } from './after-paint.tsx';
import { BootPage } from './boot.tsx';
import { IconButton } from '../controls/button.tsx';
import { Kbd } from './layout.tsx';
import { SkipLink } from './skip-link.tsx';
import { useBackdrop } from '../overlays/backdrop.ts';
import { openModal } from '../overlays/modal-dialogs.ts';
import { Tooltip } from '../overlays/tooltip.tsx';
import '../controls/button.css';
import './rail.css';
import './sandbox-bar.css';
import './shell.css';

/** `count`: an element that reads its own number, so that the rail is not rendered again when it comes. */
export type RailLink = { key: string; icon: ReactNode; label: string; count?: ReactNode };
export type RailGroup = { head?: string; items: readonly RailLink[] };

type RailProps = {
  mark: ReactNode;
  groups: readonly RailGroup[];
  foot?: ReactNode;
  renderLink: (item: RailLink, children: ReactNode) => ReactNode;
};

/** Navigation of a portal area: groups of links with counts, and a marker on the current page. */
function RailContent({ mark, groups, foot, renderLink }: RailProps) {
  return (
    <>
      <div className="rail-brand">{mark}</div>
      <div className="flex-1">
        {groups.map((group, at) => (
          <div key={group.head ?? at} className="rail-group">
            {group.head ? <p>{group.head}</p> : null}
            <ul>
              {group.items.map((item) => (
                <li key={item.key}>
                  {renderLink(
                    item,
                    <>
                      {item.icon}
                      <span className="rail-label">{item.label}</span>
                      {item.count}
                    </>,
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {foot ? <div className="rail-footer">{foot}</div> : null}
    </>
  );
}

type ShellProps = RailProps & {
  bars?: ReactNode;
  breadcrumb: ReactNode;
  tools?: ReactNode;
  onSearch: () => void;
  path: string;
  children: ReactNode;
};

/** The count next to an entry of the rail; renders nothing for zero. */
export function RailCount({ count }: { count: number | undefined }) {
  return count ? <span className="rail-count">{count}</span> : null;
}

/** Layout for staff and agencies: sidebar, top bar, page. On a phone a menu button opens the sidebar. */
export function Shell({ bars, breadcrumb, tools, onSearch, path, children, ...rail }: ShellProps) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const hasRail = useMediaQuery(WIDER_THAN_PHONE);
  useEffect(() => setSheetOpen(false), [path]);
  return (
    <>
      <SkipLink />
      {bars}
      <div className="shell">
        {hasRail ? (
          <nav className="rail" aria-label="Main">
            <RailContent {...rail} />
          </nav>
        ) : null}
        <RailSheet open={isSheetOpen} onClose={() => setSheetOpen(false)}>
          <RailContent {...rail} />
        </RailSheet>
        <div>
          <header className="shell-header">
            <IconButton label="Menu" className="md:!hidden" onClick={() => setSheetOpen(true)}>
              <MenuIcon aria-hidden />
            </IconButton>
            <div className="flex min-w-0 items-center gap-1.5">{breadcrumb}</div>
            <div className="ml-auto flex items-center gap-1.5">
              <SearchButton onSearch={onSearch} />
              {tools}
            </div>
          </header>
          <main id="main" tabIndex={-1} className="shell-page outline-0">
            <AfterPaint placeholder={<BootPage />}>{children}</AfterPaint>
          </main>
        </div>
      </div>
    </>
  );
}

function RailSheet({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  const backdrop = useBackdrop(onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    const letGo = openModal(dialog);
    return () => {
      letGo();
      dialog.close();
    };
  }, [open]);
  return (
    <dialog ref={ref} className="rail-sheet" aria-label="Menu" onClose={onClose} {...backdrop}>
      {open ? (
        <nav className="rail !h-full" aria-label="Main">
          {children}
        </nav>
      ) : null}
    </dialog>
  );
}

function SearchButton({ onSearch }: { onSearch: () => void }) {
  const t = useUiText();
  const isMac = navigator.platform.startsWith('Mac');
  return (
    <>
      <button
        type="button"
        onClick={onSearch}
        className="hidden h-7.5 w-66 items-center gap-2 rounded-md border border-line bg-surface pr-1.5 pl-2.5 text-left text-ink-3 md:flex"
      >
        <Search className="icon-small" aria-hidden />
        <span className="flex-1">Search or jump to</span>
        <Kbd>{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>
      </button>
      <IconButton label={t('ui.search')} className="md:!hidden" onClick={onSearch}>
        <Search aria-hidden />
      </IconButton>
    </>
  );
}

/** Height of the sandbox bar above the layout. */
export const SANDBOX_BAR_HEIGHT = 28;

/** Shows that nothing leaves this machine; stays visible while scrolling. */
export function SandboxBar({ link }: { link?: ReactNode }) {
  return (
    <aside className="sandbox-bar sticky top-0 z-30 flex h-7 items-center gap-2 px-4 text-xs font-medium md:px-6" aria-label="Sandbox">
      <Shield className="icon-small" aria-hidden />
      <span className="truncate">Sandbox: nothing leaves this machine</span>
      {link ? (
        <span className="ml-auto whitespace-nowrap [&>a]:flex [&>a]:min-h-7 [&>a]:items-center [&>a]:underline [&>a]:underline-offset-2">
          {link}
        </span>
      ) : null}
    </aside>
  );
}

/** Breadcrumb in the top bar. */
export function Crumbs({ children }: { children: ReactNode }) {
  return (
    <nav
      aria-label="Breadcrumb"
      className="flex min-w-0 items-center gap-1.5 whitespace-nowrap text-ink-3 [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center [&_b]:truncate [&_b]:font-medium [&_b]:text-ink"
    >
      {children}
    </nav>
  );
}

export function SlimTip({ text, children }: { text: string | undefined; children: ReactNode }) {
  return (
    <Tooltip text={text} side="right">
      {children}
    </Tooltip>
  );
}
