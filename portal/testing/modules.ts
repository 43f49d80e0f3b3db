import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { routeModules } from '../route-table.ts';

/** What Vite does for the browser when it builds the portal, for tests: Node reads neither JSX nor style sheets, and two modules are made from the contract. */
const made = new Map(Object.entries(await routeModules()));

// As built: the development version of React records a stack for each element.
process.env['NODE_ENV'] = 'production'; // oxlint-disable-line node/no-process-env -- React reads it when it is loaded

registerHooks({
  resolve: (specifier, context, next) => {
    if (made.has(specifier)) return { url: specifier, format: 'module', shortCircuit: true };
    // The generated route tree leaves the extension out.
    const path = context.parentURL?.endsWith('/route-tree.gen.ts') && specifier.startsWith('./') ? `${specifier}.tsx` : specifier;
    // Some libraries have a file for servers, which they offer to Node.
    return next(path, { ...context, conditions: ['browser', ...context.conditions] });
  },
  load: (url, context, next) => {
    const source = made.get(url) ?? (url.endsWith('.css') ? '' : undefined);
    if (source !== undefined) return { format: 'module', source, shortCircuit: true };
    if (!url.endsWith('.tsx')) return next(url, context);
    const path = fileURLToPath(url);
    const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), { jsx: { runtime: 'automatic' }, sourcemap: false });
    if (errors[0]) throw new SyntaxError(errors[0].message);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
