import { describe } from 'node:test';
import { isFull } from '../harness/full.ts';
import { tryEverywhere } from './kill-stage.ts';

describe('a provision whose service is killed', () => tryEverywhere('provision'));
// A repair takes six steps, five of them those of a provision.
if (isFull) describe('a repair whose service is killed', () => tryEverywhere('repair'));
