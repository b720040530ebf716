import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const packageFolder = /^(?<folder>.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

type Described = {readonly name: string; readonly version: string; readonly license?: string};

/** The licences of all packages that these modules are from: who gets the bundle gets them with it. */
export function licencesOf(moduleIds: readonly string[]): string {
	const folders = moduleIds.flatMap(id => packageFolder.exec(id)?.groups?.['folder'] ?? []);
	return [...new Set(folders)].toSorted().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm installs nothing without a name
	const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Described;
	const {name, version, license = 'no licence is named'} = described;
	const file = readdirSync(folder).find(one => /^(?:licen[cs]e|copying)/i.test(one));
	const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
	return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
