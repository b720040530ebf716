/** Facts of a template as lines: a few under the list, all on its own screen. */
import {countCharacters} from '../../../contract/grammar/harmless-text.ts';
import {LONGEST_ONSTART} from '../../../contract/nouns/creation-request.ts';
import type {Env} from '../../../contract/rules/env.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {decimals, known, MISSING} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {
	templateEnvOf,
	fullImage,
	launch,
	shortHash,
	usesTexts,
	type Uses,
} from '../../../renter/templates/templates.ts';
import {extraFiltersText} from '../../../renter/templates/filter-conditions.ts';
import type {Theme} from '../../ui/theme.ts';

const launchNames: Readonly<Record<string, string>> = {
	'ssh d': 'ssh, direct',
	'ssh p': 'ssh, through the proxy',
	'jup d': 'jupyter, direct',
	'jup p': 'jupyter, through the proxy',
	args: 'args: the image as it is',
};

const text = known((value: string) => (value === '' ? MISSING : printable(value)));
const disk = known((value: number) => `${decimals(value % 1 === 0 ? 0 : 1)(value)} GB`);
const yesNo = known((value: boolean) => (value ? 'yes' : 'no'));

function launchName(template: Template): string {
	const short = launch(template);
	return launchNames[short] ?? printable(short);
}

/** Visibility, in a word. */
function privacy({private: isPrivate}: Template): string {
	return isPrivate === null || isPrivate === undefined ? MISSING : isPrivate ? 'private' : 'public';
}

function onstartLength({onstart}: Template): string {
	if (typeof onstart !== 'string') return MISSING;
	return onstart === '' ? 'none' : `${countCharacters(onstart)} of ${LONGEST_ONSTART} characters`;
}

/** The names of an environment, and its ports as the flags say them. */
export function envNames(env: Env): string {
	return env.length === 0 ? 'none' : env.map(([key]) => printable(key)).join(' ');
}

/** An entry as it is read: TZ=UTC, and a flag by itself. */
function envEntry([key, value]: Env[number]): string {
	if (key === '-h') return printable(`-h ${value}`);
	return printable(key.startsWith('-') ? key : `${key}=${value}`);
}

export function summaryLines(
	template: Template | undefined,
	uses: Uses,
	width: number,
): readonly string[] {
	if (template === undefined) return [];
	const {readme, desc} = template;
	const filters = extraFiltersText(template);
	const said = readme === '' || readme === null || readme === undefined ? desc : readme;
	return [
		[templateTitle(template), ...usesTexts(uses)].join('   '),
		` env     ${envNames(templateEnvOf(template))}`,
		` onstart ${onstartLength(template)}   disk ${disk(template.recommended_disk_space)}   ${launchName(template)}`,
		` filters ${filters === '' ? 'none' : printable(filters)}`,
		` readme  ${text(said)}`,
	].map(line => fit(line, width));
}

export function templateTitle(template: Template): string {
	const {name, hash_id: hash} = template;
	return [text(name), privacy(template), printable(shortHash(hash))].join('   ');
}

type Paper = {readonly theme: Pick<Theme, 'style'>; readonly width: number};

/** The fields of a template, a line for each, long texts wrapped. */
export function templateLines(
	template: Template,
	{uses, offers}: {readonly uses: Uses; readonly offers?: string | undefined},
	{theme, width}: Paper,
): readonly string[] {
	const entries = templateEnvOf(template).map(envEntry);
	const filters = extraFiltersText(template);
	const facts: ReadonlyArray<readonly [string, readonly string[]]> = [
		['image', [printable(fullImage(template))]],
		['launch', [launchName(template)]],
		['disk', [disk(template.recommended_disk_space)]],
		['env', entries.length === 0 ? ['none'] : entries],
		['arguments', [text(template.args_str)]],
		['filters', [filters === '' ? 'none' : filters]],
		['volume', [volumeText(template)]],
		['registry', [registry(template)]],
		['seen by', [privacy(template)]],
		['hash', [printable(template.hash_id)]],
		['used', [usesTexts(uses).join(', ') || MISSING]],
		...(offers === undefined ? [] : [['offers', [offers]] as const]),
		['about', [text(template.desc)]],
		['links', [[text(template.href), text(template.repo)].join('  ')]],
		['jupyter', [`lab ${yesNo(template.use_jupyter_lab)}, in ${text(template.jupyter_dir)}`]],
		['onstart', [onstartLength(template)]],
	];
	const lines = facts.flatMap(([name, values]) =>
		values.flatMap((value, index) =>
			wrapText(value, width - 13).map(
				(line, part) => ` ${theme.style('quiet', fit(index + part === 0 ? name : '', 11))}${line}`,
			),
		),
	);
	return [...lines, ...script(template, width), ...about(template, width)];
}

function script({onstart}: Template, width: number): readonly string[] {
	if (typeof onstart !== 'string' || onstart === '') return [];
	const lines = onstart.trimEnd().split(/\r?\n/);
	const digits = String(lines.length).length;
	return lines.map((line, index) =>
		fit(`   ${String(index + 1).padStart(digits)}  ${printable(line)}`, width),
	);
}

function about({readme: said}: Template, width: number): readonly string[] {
	if (typeof said !== 'string' || said === '') return [];
	return ['', ' README', ...wrapText(said, width - 2).map(line => ` ${line}`)];
}

function volumeText({volume_info: volume}: Template): string {
	if (volume === null || volume === undefined) return 'none';
	return `${JSON.stringify(volume)}  a hint: renting never attaches it`;
}

function registry({docker_login_repo: where, docker_login_user: user}: Template): string {
	const said = [where, user].filter(part => typeof part === 'string' && part !== '');
	return said.length === 0 ? 'none' : `${said.join(' as ')}, its password is never shown`;
}

/** The whole template beside a list, as much of it as fits. */
export function templatePaneLines(
	template: Template | undefined,
	uses: Uses,
	{height, ...paper}: Paper & {readonly height: number},
): readonly string[] {
	if (template === undefined) return [];
	const lines = [
		fit(templateTitle(template), paper.width),
		'',
		...templateLines(template, {uses}, paper),
	];
	return lines.length <= height
		? lines
		: [...lines.slice(0, height - 1), ' ... Enter shows the rest'];
}
