import { Tooltip as Radix } from 'radix-ui';
import { type FocusEvent, type ReactNode, useState } from 'react';
import './tooltip.css';

export const TooltipProvider = Radix.Provider;

/** Shows `text` on hover and on focus: names of icons, full texts, and why a control is disabled. */
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
  // Focus may scroll the element into view, and scrolling closes tooltips, so this one opens in the next frame.
  const openOnceInSight = (event: FocusEvent<HTMLElement>): void => {
    const { currentTarget } = event;
    event.preventDefault();
    // A click triggers the control, not a tooltip.
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
      {/* Above a modal dialog only its own content is visible. */}
      <Radix.Portal container={host}>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="tooltip">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
