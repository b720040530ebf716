/** Loads what commands load when they need it: reading modules would be input from outside. */
import {readdirSync} from 'node:fs';

const folders = ['client', 'contract', 'renter', 'commands'];
const source = new URL('../../../source/', import.meta.url);

export async function loadAll(): Promise<void> {
	for (const folder of folders) {
		const files = readdirSync(new URL(`${folder}/`, source), {recursive: true, encoding: 'utf8'});
		for (const file of files.filter(name => name.endsWith('.ts'))) {
			await import(new URL(`${folder}/${file}`, source).href);
		}
	}
	await import(new URL('contract/openapi.ts', source).href);
}
