import { BroadcastChannel } from 'node:worker_threads';
import { Window } from 'happy-dom';

/**
 * The browser that component tests run in, made once for their process: a document without layout, painting or navigation. Its classes and
 * functions become globals, apart from those that Node has too.
 */
export const window = new Window({
  url: 'http://portal.test/',
  width: 1280,
  height: 800,
  settings: {
    disableJavaScriptEvaluation: true,
    disableJavaScriptFileLoading: true,
    disableCSSFileLoading: true,
    navigation: { disableMainFrameNavigation: true, disableChildFrameNavigation: true, disableChildPageNavigation: true },
  },
});

/** Node has classes and objects of these names, which the document does not know. */
const OVER_NODE = ['Event', 'EventTarget', 'CustomEvent', 'FormData', 'File', 'Blob', 'navigator', 'localStorage', 'sessionStorage'];

/** What Node has and the document lacks. Tabs that could answer keep no test process alive. */
class UnheldChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    this.unref();
  }
}
/** A price is a multiple of 0.01, which happy-dom finds in binary fractions only. */
const { stepMismatch } = Object.getOwnPropertyDescriptors(window.ValidityState.prototype);
Object.defineProperty(window.ValidityState.prototype, 'stepMismatch', {
  get(this: { element: { value: string; step: string } }): boolean {
    const steps = Number(this.element.value) / Number(this.element.step || 1);
    return stepMismatch.get?.call(this) === true && Math.abs(steps - Math.round(steps)) > 1e-6;
  },
});
/** Nothing has a size here but charts, which draw nothing without: they are as wide as a panel. */
class ChartObserver {
  readonly observe: (target: Element) => void;
  constructor(report: (entries: { contentRect: { width: number } }[]) => void) {
    this.observe = ({ className }) => {
      if (className === 'chart-plot') queueMicrotask(() => report([{ contentRect: { width: 640 } }]));
    };
  }
  unobserve(): void {}
  disconnect(): void {}
}
Object.defineProperty(window.navigator, 'locks', { value: navigator.locks });

function makeGlobal(): void {
  const names = new Set<string>();
  for (let level: object | null = window; level && level !== Object.prototype; level = Object.getPrototypeOf(level) as object | null)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  for (const name of names) {
    if ((name in globalThis && !OVER_NODE.includes(name)) || name === 'constructor' || name.startsWith('_')) continue;
    const value: unknown = Reflect.get(window, name);
    const isMethod = typeof value === 'function' && !/^[A-Z]/.test(name);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      ...(isMethod || /^[A-Z]/.test(name)
        ? { writable: true, value: isMethod ? (value as () => unknown).bind(window) : value } // a function of the window
        : { get: (): unknown => Reflect.get(window, name), set: (next: unknown) => void Reflect.set(window, name, next) }),
    });
  }
}

makeGlobal();
Object.assign(globalThis, { BroadcastChannel: UnheldChannel, ResizeObserver: ChartObserver });
document.body.innerHTML = '<div id="root"></div>';
