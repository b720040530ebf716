export {DatabaseSync} from '../database.ts';
