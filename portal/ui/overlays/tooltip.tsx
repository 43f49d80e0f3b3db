import { Tooltip as Radix } from 'radix-ui';
import { type FocusEvent, type ReactNode, useState } from 'react';
import './tooltip.css';

export const TooltipProvider = Radix.Provider;

/** Shows `text` on hover and on focus. Used for icons in the slim rail, full names and the reason of a disabled control. */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  if (!text) return children;
  // Focus scrolls what is out of sight into it, and any scroll closes a tooltip: this one opens in the frame after that scroll.
  const openOnceInSight = (event: FocusEvent<HTMLElement>): void => {
    const { currentTarget } = event;
    event.preventDefault();
    // A press has another answer than a tooltip.
    if (currentTarget.matches(':active')) return;
    requestAnimationFrame(() => {
      if (document.activeElement === currentTarget) setOpen(true);
    });
  };
  return (
    <Radix.Root delayDuration={250} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild ref={(node) => setHost(node?.closest('dialog') ?? null)} onFocus={openOnceInSight}>
        {children}
      </Radix.Trigger>
      {/* Over a modal dialog only what stands inside it is seen. */}
      <Radix.Portal container={host}>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="tooltip">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
