import { Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { READ_ONLY } from '../controls/read-only.ts';
import '../controls/button.css';
import './menu.css';
import './popover.css';

export type MenuItem =
  | {
      label: string;
      icon?: ReactNode;
      onPick: () => void;
      danger?: boolean;
      disabledReason?: string | undefined;
      hint?: string;
      /** Set for a setting: whether it is on. With `isChoice` it is one of several of which exactly one is on. */
      checked?: boolean;
      isChoice?: boolean;
    }
  | 'line';

/** A menu of actions behind one button. */
export function Menu({
  trigger,
  items,
  label,
  align = 'end',
}: {
  trigger: ReactNode;
  items: readonly MenuItem[];
  label?: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="menu popover"
          onCloseAutoFocus={(event) => {
            // What an action opened has the focus already, such as the heading of another page.
            if (document.activeElement !== document.body) event.preventDefault();
          }}
        >
          {label ? <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label> : null}
          {items.filter(isDrawn).map((item, at) => (
            <Fragment key={at}>
              {item === 'line' ? (
                <DropdownMenu.Separator className="menu-separator" />
              ) : (
                <Item
                  item={item}
                  className="menu-item"
                  aria-disabled={item.disabledReason ? true : undefined}
                  onSelect={(event) => {
                    if (item.disabledReason) return event.preventDefault();
                    // A dialog that opens now returns the focus to the trigger, because the item is gone by then.
                    triggerOf(event.target)?.focus();
                    item.onPick();
                  }}
                  data-danger={item.danger ? '' : undefined}
                >
                  {item.icon}
                  <span className="flex-1">
                    {item.label}
                    {/* Focusable, so that screen readers read the reason. */}
                    {item.disabledReason ? <small className="block py-0.5 text-xs text-ink-3">{item.disabledReason}</small> : null}
                  </span>
                  {item.hint ? <span className="text-xs text-ink-3">{item.hint}</span> : null}
                  {item.checked ? <span aria-hidden className="size-1.5 rounded-full bg-accent-mark" /> : null}
                </Item>
              )}
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** An action, or a setting that assistive technology reads as on or off. */
function Item({ item, ...props }: { item: Exclude<MenuItem, 'line'> } & ComponentProps<typeof DropdownMenu.Item>) {
  if (item.checked === undefined) return <DropdownMenu.Item {...props} />;
  return <DropdownMenu.CheckboxItem {...props} checked={item.checked} role={item.isChoice ? 'menuitemradio' : 'menuitemcheckbox'} />;
}

/** Returns the button whose menu contains the item. */
function triggerOf(item: EventTarget | null): HTMLElement | null {
  const menu = item instanceof Element ? item.closest('[role="menu"]') : null;
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
}

/** Leaves out actions that a view-as session cannot do. */
function isDrawn(item: MenuItem): boolean {
  return item === 'line' || item.disabledReason !== READ_ONLY;
}

/** Menu of a page's secondary actions; renders nothing when there are none. */
export function MoreMenu({ items, label = 'More' }: { items: readonly MenuItem[]; label?: string }) {
  if (!items.some(isDrawn)) return null;
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className="button button-square" aria-label={label}>
          <Ellipsis aria-hidden />
        </button>
      }
    />
  );
}
