import {hash} from 'node:crypto';
import {MARK} from '../../contract/rules/env.ts';
import type {InstanceSettings} from '../lifecycle/instance-settings-rules.ts';

/**
 * Hash of all that the start of an instance depends on, by which two that were ordered alike are known:
 * without the words that each has for itself.
 */
export function orderHash(image: string, settings: InstanceSettings): string {
	const {jupyter_token: _token, extra_filters: _filters, env, ...rest} = settings;
	const same = env.filter(([name]) => name !== MARK);
	return hash('sha256', JSON.stringify([image, same, rest]));
}
