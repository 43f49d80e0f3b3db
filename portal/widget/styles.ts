/** Rules inside the widget's shadow root. Logical sides: on a right-to-left page everything is mirrored. */
export const STYLES = `
:host {
  position: fixed !important;
  inset-block-end: calc(20px + env(safe-area-inset-bottom)) !important;
  inset-inline-end: calc(20px + env(safe-area-inset-right)) !important;
  z-index: 2147483000 !important;
  display: block !important;
  color-scheme: light dark !important;
}
:host([data-theme=light]) { color-scheme: light !important; }
:host([data-theme=dark]) { color-scheme: dark !important; }
.launcher {
  position: relative;
  display: grid;
  place-items: center;
  box-sizing: border-box;
  width: 56px;
  height: 56px;
  margin: 0;
  padding: 0;
  border: 0;
  border-radius: 50%;
  background: var(--fill);
  color: var(--on);
  box-shadow: 0 0 0 1px light-dark(rgb(255 255 255 / .7), rgb(0 0 0 / .5)), 0 6px 24px -4px rgb(0 0 0 / .35);
  cursor: pointer;
  -webkit-tap-highlight-color: transparent;
  transition: scale 140ms cubic-bezier(.2,.8,.2,1);
  animation: appear 220ms cubic-bezier(.2,.8,.2,1);
}
.launcher:hover { scale: 1.05; }
.launcher:active { scale: .96; }
.launcher:focus-visible {
  outline: 3px solid var(--fill);
  outline-offset: 3px;
  box-shadow: 0 0 0 3px light-dark(#fff, #000), 0 0 0 8px light-dark(#fff, #000);
}
svg {
  grid-area: 1 / 1;
  width: 30px;
  height: 30px;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.75;
  stroke-linecap: round;
  stroke-linejoin: round;
  transition: opacity 140ms, rotate 140ms;
}
[aria-expanded=false] .chevron, [aria-expanded=true] .bubble { opacity: 0; }
[aria-expanded=false] .chevron { rotate: -60deg; }
.badge {
  position: absolute;
  inset-block-start: -3px;
  inset-inline-end: -3px;
  box-sizing: border-box;
  min-width: 21px;
  height: 21px;
  padding: 0 6px;
  border-radius: 11px;
  background: #b3261e;
  color: #fff;
  font: 600 12px/21px system-ui, sans-serif;
  text-align: center;
  box-shadow: 0 0 0 2px light-dark(#fff, #111);
}
.badge[hidden], [aria-expanded=true] .badge { display: none; }
.panel {
  position: absolute;
  inset-block-end: 72px;
  inset-inline-end: 0;
  width: 400px;
  max-width: calc(100vw - 40px);
  height: min(500px, calc(100dvh - 112px));
  border-radius: 16px;
  overflow: hidden;
  background: light-dark(#fff, #161b1e);
  box-shadow: 0 0 0 1px light-dark(rgb(20 40 50 / .1), rgb(255 255 255 / .12)), 0 16px 48px -12px rgb(0 0 0 / .4);
  visibility: hidden;
  opacity: 0;
  translate: 0 12px;
  transition: opacity 140ms, translate 140ms cubic-bezier(.2,.8,.2,1), visibility 0s 140ms, height 220ms cubic-bezier(.2,.8,.2,1);
}
.panel.tall { height: min(660px, calc(100dvh - 112px)); }
.panel.open { visibility: visible; opacity: 1; translate: 0 0; transition-delay: 0s; }
iframe {
  display: block;
  width: 100%;
  height: 100%;
  border: 0;
  color-scheme: inherit;
}
@keyframes appear { from { opacity: 0; scale: .6; } }
@media (max-width: 480px), (max-height: 480px) {
  .panel, .panel.tall {
    position: fixed;
    inset: 0;
    width: 100%;
    max-width: none;
    height: 100dvh;
    border-radius: 0;
    box-shadow: none;
    transition: opacity 140ms, translate 140ms, visibility 0s 140ms;
  }
  .panel.open { transition-delay: 0s; }
  .panel.open + .launcher { display: none; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; animation: none !important; }
}
@media (forced-colors: active) {
  .launcher { border: 2px solid ButtonText; }
}
@media print {
  :host { display: none !important; }
}
`;
