import { fieldsOf, textOf } from '../provider.ts';
import type { Property, Tool } from './conversation.ts';

/** Reads the inputs that the JSON schema of a tool declares. */
export function readSchema(schema: unknown): Pick<Tool, 'properties' | 'required'> {
  const { properties, required } = fieldsOf(schema);
  return {
    properties: Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, value]) => [name, readProperty(value)])),
    required: Array.isArray(required) ? required.map(textOf) : [],
  };
}

function readProperty(value: unknown): Property {
  const { type, title, description, format, enum: choices } = fieldsOf(value);
  const types = Array.isArray(type) ? type.map(textOf) : [textOf(type)];
  return {
    type: types.find((one) => one !== '' && one !== 'null') ?? 'string',
    title: textOf(title),
    description: textOf(description),
    format: textOf(format),
    choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [],
  };
}
