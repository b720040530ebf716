/** Template made from the rent form, to rent with again. */
import {printEnv, type Env} from '../../../contract/env.ts';
import {envOf, type Arguments} from '../../../contract/merge.ts';
import {tagOf, type TemplateContent} from '../../../contract/template-content.ts';
import type {Preview} from '../../../renter/orders/preview.ts';
import {looksSecret} from '../../../renter/orders/redaction.ts';
import {quote} from '../../../renter/orders/request-text.ts';

export type AsTemplate = {
	readonly content: Partial<TemplateContent>;
	/** Values to check, and values that no template can keep. */
	readonly notes: readonly string[];
};

/** All of it that a template can say; what is only about this one rental is left out. */
export function asTemplate({creation, diskGb, content}: Preview): AsTemplate {
	const {launch, label, image_login: login} = creation;
	const {env, lost} = sayable(envOf(creation));
	const secrets = env.filter(([name, value]) => looksSecret(name, value)).map(([name]) => name);
	const {mode, sshDirect, jupyterDirect} = launch.value;
	return {
		content: {
			name: label.value,
			...partsOf(creation.image.value ?? ''),
			env: printEnv(env) ?? '',
			onstart: creation.onstart.value,
			runtype: mode,
			use_ssh: mode !== 'args',
			ssh_direct: sshDirect,
			jup_direct: jupyterDirect,
			args_str: argumentsLine(creation.arguments.value),
			use_jupyter_lab: creation.use_jupyter_lab.value,
			jupyter_dir: creation.jupyter_dir.value,
			recommended_disk_space: diskGb,
			extra_filters: Object.fromEntries(
				Object.entries(creation.extra_filters).map(([field, {value}]) => [field, value]),
			),
			desc: content?.desc ?? '',
			readme: content?.readme ?? '',
			href: content?.href ?? '',
		},
		notes: [
			...(secrets.length === 0 ? [] : [`It keeps what looks secret: ${secrets.join(', ')}`]),
			...(lost.length === 0 ? [] : [`No template can say ${lost.join(', ')}`]),
			...(login.value === '' ? [] : ['The registry login is typed anew']),
		],
	};
}

/** The image, and its tag apart; a digest stays where it is. */
function partsOf(image: string): Pick<TemplateContent, 'image' | 'tag'> {
	const tag = tagOf(image);
	const isTagged = tag !== undefined && !image.includes('@');
	return isTagged ? {image: image.slice(0, -tag.length - 1), tag} : {image, tag: ''};
}

/** A template's environment is one line of Docker flags, which cannot say every value. */
function sayable(env: Env): {readonly env: Env; readonly lost: readonly string[]} {
	return {
		env: env.filter(isSayable),
		lost: env.filter(entry => !isSayable(entry)).map(([key]) => key),
	};
}

function argumentsLine(said: Arguments): string {
	return 'text' in said ? said.text : said.list.map(quote).join(' ');
}

function isSayable(entry: Env[number]): boolean {
	return printEnv([entry]) !== undefined;
}
