/** Lets a process that begins with it import files with JSX as they are: `node --import`. */
import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'rolldown/utils';

registerHooks({
	load(url, context, next) {
		if (!url.endsWith('.tsx')) return next(url, context);
		const file = fileURLToPath(url);
		const {code} = transformSync(file, readFileSync(file, 'utf8'));
		return {format: 'module', source: code, shortCircuit: true};
	},
});
