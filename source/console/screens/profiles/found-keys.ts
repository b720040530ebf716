import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Environment} from '../../theme.ts';
import type {Found} from './profile-form.ts';

/** Looks for keys that are here already. No file is read: that is for the user to say. */
export function findKeys(environment: Environment): Found {
	const {RENTTY_API_KEY: variable, RENTTY_URL: url = '', HOME: home = homedir()} = environment;
	const files = [join(home, '.config', 'vastai', 'vast_api_key'), join(home, '.vast_api_key')];
	return {
		hasVariable: variable !== undefined && variable !== '',
		file: files.find(file => existsSync(file)),
		url,
	};
}
