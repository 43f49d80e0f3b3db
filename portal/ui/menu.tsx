import { Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, type ReactNode } from 'react';

export type MenuItem =
  | {
      label: string;
      icon?: ReactNode;
      onPick: () => void;
      danger?: boolean;
      disabledReason?: string | undefined;
      hint?: string;
      checked?: boolean;
    }
  | 'line';

/** A list of acts behind one trigger. */
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
        <DropdownMenu.Content align={align} sideOffset={4} collisionPadding={8} className="menu floating">
          {label ? <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label> : null}
          {items.map((item, at) => (
            <Fragment key={at}>
              {item === 'line' ? (
                <DropdownMenu.Separator className="menu-line" />
              ) : (
                <DropdownMenu.Item
                  className="menu-item"
                  disabled={Boolean(item.disabledReason)}
                  title={item.disabledReason}
                  onSelect={item.onPick}
                  data-danger={item.danger ? '' : undefined}
                >
                  {item.icon}
                  <span className="flex-1">{item.label}</span>
                  {item.hint ? <span className="text-xs text-ink-3">{item.hint}</span> : null}
                  {item.checked ? <span aria-label="chosen" className="size-1.5 rounded-full bg-accent-mark" /> : null}
                </DropdownMenu.Item>
              )}
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The rest of a page's actions. */
export function MoreMenu({ items }: { items: readonly MenuItem[] }) {
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className="btn btn-icon" aria-label="More">
          <Ellipsis aria-hidden />
        </button>
      }
    />
  );
}
