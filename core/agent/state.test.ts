import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentState, type AgentFacts, isAgentOn } from './state.ts';

const WORKING: AgentFacts = {
  clientStatus: 'active',
  isActive: true,
  installed: true,
  health: 'ok',
  missingConnections: [],
  refusedConnections: [],
  missingSettings: [],
};

describe('the state of an agent', () => {
  const cases: [string, Partial<AgentFacts>, ReturnType<typeof agentState>, boolean][] = [
    ['works', {}, 'ok', true],
    ['is of the agency itself', { clientStatus: null }, 'ok', true],
    ['is of a suspended client, also when it is paused', { clientStatus: 'suspended', isActive: false }, 'client_inactive', false],
    ['is of an archived client', { clientStatus: 'archived' }, 'client_inactive', false],
    ['is paused, with or without its key', { isActive: false, missingConnections: ['twilio'], health: 'paused' }, 'paused', false],
    [
      'waits for a key before it is installed',
      { installed: false, missingConnections: ['twilio'], health: 'not_installed' },
      'key_missing',
      false,
    ],
    ['lacks a key that was removed', { missingConnections: ['twilio'], health: 'ok' }, 'key_missing', true],
    ['is not installed', { installed: false, health: 'not_installed' }, 'not_installed', false],
    ['has a refused key, also when its runs fail', { refusedConnections: ['twilio'], health: 'failing' }, 'key_refused', true],
    [
      'lacks a setting before it is installed',
      { installed: false, missingSettings: ['message'], health: 'not_installed' },
      'settings_missing',
      false,
    ],
    ['lacks a setting', { missingSettings: ['message'] }, 'settings_missing', true],
    ['fails', { health: 'failing' }, 'failing', true],
    ['is silent', { health: 'silent' }, 'silent', true],
  ];
  it('follows what was chosen, what is to be mended and how its runs went', () => {
    for (const [name, facts, state, isOn] of cases) {
      assert.equal(agentState({ ...WORKING, ...facts }), state, name);
      assert.equal(isAgentOn({ ...WORKING, ...facts }), isOn, name);
    }
  });
});
