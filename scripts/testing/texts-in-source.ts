import { parseSync } from 'oxc-parser';

export type FoundText = { line: number; text: string };

/** Props and members whose text a person reads. */
const READ = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'hint',
  'note',
  'lead',
  'word',
  'words',
  'action',
  'keep',
  'busy',
  'thing',
  'heading',
  'says',
  'detail',
  'aria-label',
  'aria-description',
  'children',
  'subject',
  'reason',
]);
/** Calls whose texts a person reads. */
const SPOKEN = new Set(['announce', 'announceFailure', 'useTitle', 'text', 'small', 'action', 'facts']);
/** A word of at least two letters; names in code (`client-home`, `saveKey`) have no space and no capital at the start. */
const WORDS = /\p{L}{2,}/u;
const CODE = /^[a-z0-9]+(?:[-_./:A-Z0-9][a-zA-Z0-9]*)*$|^[#/@.&?]|^[A-Z_]+$|^https?:/;

type Node = { type: string; start: number; [member: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Returns the texts in the source of a component that a person reads and that stand in the source itself. */
export function textsInSource(file: string, source: string): FoundText[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? 'cannot be parsed'}`);
  const found: FoundText[] = [];
  const add = (node: Node, text: string): void => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (WORDS.test(words) && !CODE.test(words)) found.push({ line: source.slice(0, node.start).split('\n').length, text: words });
  };
  const walk = (value: unknown, isRead: boolean): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, isRead);
    if (!isNode(value)) return;
    walkNode(value, isRead);
  };
  const walkNode = (node: Node, isRead: boolean): void => {
    switch (node.type) {
      case 'JSXText':
        return add(node, String(node['value']));
      case 'Literal':
        if (isRead && typeof node['value'] === 'string') add(node, node['value']);
        return;
      case 'TemplateElement':
        if (isRead) add(node, (node['value'] as { cooked: string }).cooked); // of every template element
        return;
      case 'JSXAttribute':
        return walk(node['value'], READ.has(nameOf(node['name'])));
      case 'JSXExpressionContainer':
        return walk(node['expression'], isRead);
      case 'Property':
        return walk(node['value'], READ.has(nameOf(node['key'])));
      case 'CallExpression':
        walk(node['callee'], false);
        return walk(node['arguments'], SPOKEN.has(nameOf(node['callee'])));
      case 'JSXElement':
      case 'JSXFragment':
        walk(node['openingElement'], false);
        return walk(node['children'], true);
      case 'ConditionalExpression':
        walk(node['test'], false);
        walk(node['consequent'], isRead);
        return walk(node['alternate'], isRead);
      case 'BinaryExpression':
      case 'ImportDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSTypeAnnotation':
      case 'MemberExpression':
        return;
      case 'ReturnStatement':
        return walk(node['argument'], true);
      case 'VariableDeclarator':
      case 'AssignmentPattern':
        return walk(node['init'] ?? node['right'], true);
      default:
        for (const [member, child] of Object.entries(node))
          if (member !== 'type')
            walk(
              child,
              ['ArrayExpression', 'LogicalExpression', 'TemplateLiteral', 'TSAsExpression', 'ArrowFunctionExpression'].includes(
                node.type,
              ) && isRead,
            );
    }
  };
  walk(program, false);
  return found;
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  const { name, value, property } = node;
  return typeof name === 'string' ? name : typeof value === 'string' ? value : nameOf(property);
}
