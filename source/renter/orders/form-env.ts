import {listOf} from '../../contract/grammar/json.ts';
import {lastOfEach, type Env, type EnvEntry} from '../../contract/rules/env.ts';

/** An environment in the form's format: JSON, because Docker flags cannot express every value. */
export function writeEnv(env: Env): string {
	return env.length === 0 ? '' : JSON.stringify(env);
}

export function readEnv(text: string): Env {
	if (text === '') return [];
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries)) return [];
	return lastOfEach(entries.map(readEntry));
}

function readEntry(entry: unknown): EnvEntry {
	const parts = listOf(entry);
	return [String(parts[0]), String(parts[1])];
}

/**
 * Renter's own entries of an environment that was edited as a whole: those that differ from the
 * template.
 */
export function ownEntries(whole: Env, template: Env): Env {
	const kept = new Map(template);
	return whole.filter(([key, value]) => kept.get(key) !== value);
}
