"""Words too common to say what a note is about.

Only English: in a vault of another language the ranking itself makes common words weigh little, and a
stop word of one language is a good word of another (`die`, `war`, `son`).
"""

_WORDS = """
a about above after again against all also although am among an and any are aren as at be because been
before being below between both but by can cannot could couldn did didn do does doesn doing don down
during each either else etc few for from further had hadn has hasn have haven having he her here hers
herself him himself his how however i if in into is isn it its itself just ll may me might mightn more
most much must mustn my myself neither no nor not of off on once only onto or other our ours ourselves
out over own per quite rather re s same shall she should shouldn so some such t than that the their
theirs them themselves then there therefore these they this those though through thus to too under
until up upon us ve very via was wasn we were weren what when where whether which while who whom whose
why will with within without won would wouldn yet you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())
